"""One sample of a benchmark with what models answer to it: the sheet of the report, drawn when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from beholder.core.entrant import Ceiling, Entrant, Provided
from beholder.core.job import Job
from beholder.core.sample import Sample
from beholder.core.scores import Role
from beholder.errors import Misuse
from beholder.evaluation.under_test import name_models
from beholder.registry.find import nearest
from beholder.registry.models import enter
from beholder.registry.trained_on import refuse_trained_in_files
from beholder.reports._looks import looks
from beholder.reports.plots.dots import INK, TEXT

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from beholder.core.benchmark import Benchmark

PEOPLE = Ceiling().name
BROUGHT: tuple[Role, ...] = ("baseline", "blind", "oracle")
FEW = 2  # baselines that are drawn where no model is given


def draw_sheet(benchmark: Benchmark, id: str, given: Any) -> Figure:
    """A sample with the answers of some models, which run in this process; without any, of the first baselines."""
    if benchmark.figures.sample is None:
        raise Misuse(f"{benchmark.name} draws no samples; bh.plot(scores) draws its scores")
    dataset = benchmark.dataset
    chosen = id or dataset.ids[0]
    if chosen not in dataset.ids:
        raise Misuse(f"{benchmark.name} has no sample {id!r}{nearest(id, dataset.ids)}")
    entrants = _entrants(benchmark, given) or [
        Provided(name, "baseline") for name in benchmark.provided("baseline")[:FEW]
    ]
    job = Job(benchmark, {one.name: one for one in entrants}, admit=refuse_trained_in_files)
    answers = {name: _answer(job, name, chosen) for name in job.entrants}
    drawn: Figure = benchmark.figures.sample(job.meet(chosen).sample, answers)
    return drawn


def _entrants(benchmark: Benchmark, given: Any) -> list[Entrant]:
    """Whose answers are drawn: models, and by their names whoever takes part in the benchmark anyway, people too."""
    if isinstance(given, list | tuple):
        return [entrant for one in given for entrant in _entrants(benchmark, one)]
    roles: dict[str, Role] = {name: role for role in BROUGHT for name in benchmark.provided(role)}
    if isinstance(given, str) and given in roles:
        return [Provided(given, roles[given])]
    if given == PEOPLE and benchmark.lineup.people:
        return [Ceiling()]
    named = name_models(given, benchmark).items()
    return [entrant for name, model in named for entrant in enter(name, model, benchmark)]


def _answer(job: Job, name: str, id: str) -> Any:
    """The first answer of a model, as it is scored."""
    asked = job.meet(id)
    question = next(iter(job.respondent(name).ask(asked)))
    answer = job.benchmark.accept(question.ask(), asked.sample.stimulus)
    split = job.benchmark.hooks.split
    return split(answer)[0] if split else answer


def draw_sample(sample: Sample[Any, Any]) -> Figure:
    """The pictures of a sample's stimulus and reference."""
    from matplotlib.figure import Figure

    found = [(side, look) for side in ("stimulus", "reference") for look in looks(getattr(sample, side))]
    if not found:
        raise Misuse(f"there is no picture in the sample {sample.id}; plot(benchmark, {sample.id!r}) draws its sheet")
    figure = Figure((2.2 * len(found), 2.2), layout="constrained")
    for axes, (side, look) in zip(figure.subplots(1, len(found), squeeze=False).ravel(), found, strict=True):
        axes.imshow(look.pixels, cmap="gray", vmin=0, vmax=255)
        axes.set_title(f"{side} {look.name}".strip(), fontsize=TEXT, color=INK)
        axes.set_axis_off()
    return figure
