"""Writes what is generated: catalogue, command line and Python from the code, claims and tables from runs, pictures.

Pages that are written by hand may hold `<!-- table BENCHMARK -->` … `<!-- end -->`: what stands between is replaced by
the table of its baselines from a run, and the pictures beside them are those of that run. Named are pages, single
tables or pictures: `./do docs claims.md`, `./do docs motion.md`, `./do docs motion/depth`, `./do docs report.png`;
`all` is everything.
"""

from __future__ import annotations

import io
import re
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from beholder.claims.page import page as claims_page
from beholder.claims.tables.page import page as tables_page
from beholder.core.measure import card
from beholder.core.scores import JUDGED, labels, with_bounds
from beholder.engines.progress import Silent
from beholder.errors import Misuse
from beholder.evaluation.execute import Options, execute
from beholder.evaluation.plan import Request, plan
from beholder.verdicts.summary import summary
from catalogue import GENERATED

if TYPE_CHECKING:
    import pandas as pd

    from beholder.core.benchmark import Benchmark
    from beholder.core.sample import Sample

HERE = Path(__file__).parent
RUNS = (
    HERE.parent / "runs" / "published"
)  # of the published tables: one that is there is read; remove it to run it anew
TABLE = re.compile(r"(<!-- table (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)
PICTURES = {  # of the run, that a page shows
    "motion/dynamic": ("mean_course_of_diamonds", "spatial_summation"),
    "motion/beyond": ("conditions",),
    "attention/scanpath": ("families",),
    "attention/dynamics": ("saccade_amplitudes",),
}
OTHERS = ("ceiling", "blind", "oracle")  # roles, in the order of their rows after the models
LEADING = {"score": "mean", "mean_rank": "mean rank", "layer": "layer"}  # of a standing, as its column is called
SHEETS = {  # the stimuli of the contact sheets, by dataset
    "classical": (
        *("bars/bar2", "bars/bar3", "diamonds/diamond0", "diamonds/diamond1"),
        *("gratings/grating1", "gratings/grating3", "barber_poles/barber_pole0", "barber_poles/barber_pole1"),
    ),
    "beyond": (
        *("contrasts/contrast0", "contrasts/contrast2", "plaids/plaid1", "plaids/plaid3"),
        *("dots/dot16", "noisy_gratings/noisy_grating20"),
    ),
    "depths": ("depth0", "depth1", "depth2"),
    "line_plaids": ("line_plaid0", "line_plaid2", "line_plaid4"),
}
SHEET_OF = {"stereo": "motorcycle*.webp", "video": "disc0*.webp"}  # of a tutorial's run
PROBED = "movie1"  # of the figure on perceived flow
FLOWING, FLOWS = "layers2", ("farneback", "dis")  # of that on true flow


LOOKED_AT, SHOWN = "astronaut", ("gbvs", "aim", "bms", "itti")  # of the figure on attention
WALKING = ("geymol", "levy", "scenewalk", "gravity", "wta_argmax")  # of that on scanpaths


def claims() -> str:
    """What the sources claim, and what comes out here."""
    return f"{GENERATED}\n{claims_page()}"


def tables(page: Path) -> list[str]:
    """The benchmarks whose tables stand on a page."""
    return [found[2] for found in TABLE.finditer(page.read_text("utf-8"))]


def with_table(page: Path, name: str) -> str:
    """A page with one of its tables written anew."""
    own = re.compile(TABLE.pattern.replace(r"\S+", re.escape(name)), re.DOTALL)
    return own.sub(lambda found: f"{found[1]}\n{baselines(name)}\n\n{found[3]}", page.read_text("utf-8"))


def baselines(name: str) -> str:
    """Everybody who takes part in a benchmark on its built-in dataset, from a run whose pictures are kept."""
    what = plan(Request(name))
    with tempfile.TemporaryDirectory() as place:
        done = execute(what, Options(out=Path(place, "run"), jobs=2, samples=1), Silent())
        for picture in PICTURES.get(name, ()):
            (found,) = done.folder.glob(f"figures/*/*/overview/{picture}.png")
            target = HERE / "pictures" / name.partition("/")[0] / f"{picture}.png"
            target.parent.mkdir(parents=True, exist_ok=True)
            _small(found, target, "RGB")
    return baseline_table(what.evaluations[0].benchmark, done.scores)


def baseline_table(bench: Benchmark, scores: pd.DataFrame) -> str:
    """Means with their intervals, best first, and what they rest on; columns that are not judged join no mean."""
    official = scores[labels(scores).isin(bench.official) & (scores["role"] != "person")]
    table = summary(with_bounds(official, {card(of).label: card(of).bounds for of in bench.measures}))
    table = table.assign(measure=labels(table))[table["held"] > 0]
    unjudged = [one.name for one in bench.unjudged.criteria]
    every = list(table[["measure", "criterion"]].drop_duplicates().itertuples(index=False, name=None))
    cells, beside = ([cell for cell in every if (cell[1] in unjudged) is stands] for stands in (False, True))
    if len(bench.official) > 1:  # of the first measure only, or the table would not fit a page
        beside = [cell for cell in beside if cell[0] == bench.official[0]]
    verdict = bench.judge(scores)
    others = table[~table["role"].isin(JUDGED)].sort_values("role", key=lambda role: role.map(OTHERS.index))
    order = [*verdict.standing.index, *others["model"].unique()]
    leading = next(column for column in LEADING if column in verdict.standing)
    head = ["model", LEADING[leading], *(_column(m, c, bench) for m, c in [*cells, *beside])]
    rows = [_row(name, table[table["model"] == name], cells, beside) for name in order]
    for row in rows if leading != "score" else []:
        row[1] = "—"
    for name, row in zip(verdict.standing.index, rows, strict=False):
        row[1] = _led(verdict.standing.loc[name], leading)
    text = [f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows]]
    return "\n".join([*text, "", _source(bench, table[~table["criterion"].isin(unjudged)])])


def _column(measure: str, criterion: str, bench: Benchmark) -> str:
    """The head of a column: the criterion where there is but one measure."""
    if criterion == "all":
        return measure
    return criterion if len(bench.official) == 1 else f"{measure}, {criterion}"


def _led(standing: pd.Series[float], leading: str) -> str:
    """What a judge sorts by, with its interval where it has one."""
    if leading == "layer":
        return str(int(standing[leading]))
    return _number((standing[leading], standing["lo"], standing["hi"]))


def _row(
    name: str, own: pd.DataFrame, cells: Sequence[tuple[str, str]], beside: Sequence[tuple[str, str]]
) -> list[str]:
    """One model: the mean of its columns, and each with its interval; then the columns that are not judged."""
    means = {(m, c): (v, lo, hi) for m, c, v, lo, hi in own[["measure", "criterion", "value", "lo", "hi"]].to_numpy()}
    role = str(own["role"].iloc[0])
    label = f"`{name}`" if role in JUDGED else f"`{name}` ({role})"
    found = [_number(means.get(cell)) for cell in [*cells, *beside]]
    return [label, f"{sum(means[cell][0] for cell in cells if cell in means) / len(cells):.2f}", *found]


def _number(found: tuple[float, float, float] | None) -> str:
    if found is None:
        return "—"
    value, lo, hi = found
    return f"{value:.2f} [{lo:.2f}, {hi:.2f}]" if lo < hi else f"{value:.2f}"


def _source(bench: Benchmark, table: pd.DataFrame) -> str:
    held = table[table["role"].isin(JUDGED)].groupby("model")[["held", "low"]].sum()
    dataset, statuses = bench.dataset, ", ".join(sorted(set(table["provenance"])))
    low = int(held["low"].sum())
    doubt = f"; {_many(low)} of low confidence" if low else ""
    return (
        f"`{bench.name}`, version {bench.version}, dataset `{dataset.name}` "
        f"({len(dataset)} stimuli, {dataset.fingerprint}); "
        f"{_many(int(held['held'].min()))} held by every model{doubt}; status of the references: {statuses}. Brackets: "
        "95 % intervals."
    )


def _many(scores: int) -> str:
    return f"{scores} score{'s' * (scores != 1)}"


def draw_sheets() -> None:
    """docs/pictures/motion/<dataset>.png."""
    from beholder.motion.figures.courses import contact_sheet
    from beholder.registry.load import dataset

    for name, ids in SHEETS.items():
        movies = [strip for id in ids for strip in _strips(dataset("motion.datasets", name).load(id))]
        picture = io.BytesIO()
        contact_sheet(dict(movies)).savefig(picture, dpi=90, format="png")
        _small(picture, HERE / "pictures" / "motion" / f"{name}.png", "L")


def _strips(sample: Sample[Any, Any]) -> list[tuple[str, Any]]:
    """The movies of a stimulus with their labels: one, or one for each eye."""
    eyes = [(f"{eye} eye, {sample.tags.get('depth')}", vars(sample.stimulus).get(eye)) for eye in ("left", "right")]
    if all(film is not None for _, film in eyes):
        return eyes
    return [(sample.tags["set"].replace(" right", "", 1), sample.stimulus)]


def draw_probes() -> None:
    """docs/pictures/motion/probes.png: a movie of perceived flow as a run draws it; its observers are simulated."""
    from beholder.motion.benchmarks.perceived_flow import looking
    from beholder.motion.figures.perceived_flow import probed
    from beholder.motion.perceived import local
    from beholder.registry.load import dataset

    sample = dataset("motion.datasets", "simulated_observers").load(PROBED)
    seen = {name: local(model(sample.stimulus), sample.stimulus) for name, model in looking().items()}
    # In all its colours: fewer would take those of the small marks away.
    probed(sample, seen).savefig(HERE / "pictures" / "motion" / "probes.png", dpi=100, metadata={"Software": None})


def draw_flow() -> None:
    """docs/pictures/motion/flow.png: a pair of motion/flow as a run draws it."""
    from beholder.registry.load import load

    bench = load("motion/flow")
    sample = bench.dataset.load(FLOWING)
    found = {name: bench.accept(bench.provide("baseline", name)(sample.stimulus), sample.stimulus) for name in FLOWS}
    # In all its colours: fewer would cut the wheel into sectors.
    target = HERE / "pictures" / "motion" / "flow.png"
    bench.figures.sample(sample, found).savefig(target, dpi=80, metadata={"Software": None})


def draw_looks() -> None:
    """docs/pictures/attention/looks.png: a sample as a run draws it; its observers are simulated."""
    from beholder.attention.figures.looks import looks
    from beholder.attention.types import accept_map
    from beholder.registry.find import find
    from beholder.registry.load import dataset

    sample = dataset("attention.datasets", "simulated").load(LOOKED_AT)
    picture, models = io.BytesIO(), {name: find("attention.models", name) for name in SHOWN}
    seen = {name: accept_map(model(sample.stimulus), sample.stimulus) for name, model in models.items()}
    looks(sample, seen).savefig(picture, dpi=80, format="png")
    _small(picture, HERE / "pictures" / "attention" / "looks.png", "RGB", 144)


def draw_walks() -> None:
    """docs/pictures/attention/walks.png: what a run draws of a sample's scanpaths, of one of the built-in dataset."""
    import numpy as np

    from beholder.attention.benchmarks.scanpath import draw
    from beholder.attention.paths.viewing_time import scanpath_models, viewing_time
    from beholder.registry.load import dataset

    sample = dataset("attention.datasets", "simulated").load(LOOKED_AT)
    viewing = viewing_time(dataset("attention.datasets", "simulated"))
    models, picture = scanpath_models("simulated", viewing), io.BytesIO()
    drawn = {"rng": np.random.default_rng(0)}
    seen = {name: models[name](sample.stimulus, **({} if name == "wta_argmax" else drawn)) for name in WALKING}
    draw(sample, seen).savefig(picture, dpi=76, format="png")
    _small(picture, HERE / "pictures" / "attention" / "walks.png", "RGB", 56)


def draw_tutorials() -> None:
    """docs/pictures/tutorials/: a sheet of samples from the run of a tutorial."""
    from PIL import Image

    import gallery

    for tutorial, sample in SHEET_OF.items():
        run, _ = gallery.made(tutorial)
        sheet = Image.open(next(iter(sorted(run.glob(f"figures/*/*/{sample}")))))
        sheet.thumbnail((1400, 1400))
        picture, target = io.BytesIO(), HERE / "pictures" / "tutorials" / f"{tutorial}.png"
        sheet.save(picture, "png")
        target.parent.mkdir(exist_ok=True)
        _small(picture, target, "RGB", 96)


def draw_report() -> None:
    """docs/pictures/report.png: the page of the stereo tutorial's run, as chromium shows it."""
    import gallery

    run, _ = gallery.made("stereo")
    shot = gallery.GALLERY / "report.png"
    if gallery.picture(gallery.show("stereo", run), shot):
        _small(shot, HERE / "pictures" / "report.png", "RGB", 128)


def _small(picture: Path | io.BytesIO, target: Path, mode: str, colours: int = 48) -> None:
    """A picture in few colours."""
    from PIL import Image

    Image.open(picture).convert(mode).quantize(16 if mode == "L" else colours).save(target, optimize=True)


def main() -> None:
    """Write what is named: pages, tables, pictures, or all of them."""
    wanted = sys.argv[1:]
    for name, pages in WRITTEN.items():
        if {"all", name} & {*wanted}:
            for path, text in pages().items():
                _write(HERE / path, text)
    for file in sorted(HERE.rglob("*.md")):
        for name in tables(file):
            if {"all", file.name, name} & {*wanted}:
                _write(file, with_table(file, name))  # one by one: a run that is broken off loses one table
    for names, draw in DRAWN:
        if {"all", *names} & {*wanted}:
            draw()


def _catalogue() -> dict[str, str]:
    import catalogue

    return {f"reference/catalogue/{file}": text for file, text in catalogue.pages().items()}


def _command_line() -> dict[str, str]:
    import command_line

    return {"reference/cli.md": command_line.page()}


def _python_names() -> dict[str, str]:
    import python_names

    return {"reference/python.md": python_names.page()}


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    print(path, file=sys.stderr)  # noqa: T201


WRITTEN: dict[str, Callable[[], dict[str, str]]] = {  # name: its pages, by their path
    "catalogue": _catalogue,
    "cli.md": _command_line,
    "python.md": _python_names,
    "claims.md": lambda: {"explanation/claims.md": claims()},
    "published-tables.md": lambda: {"explanation/published-tables.md": f"{GENERATED}\n{tables_page(RUNS)}"},
}
DRAWN = (  # the pages they stand on, or their own names
    (("motion.md",), draw_sheets),
    (("motion.md",), draw_probes),
    (("motion.md", "flow.png"), draw_flow),
    (("saliency.md",), draw_looks),
    (("scanpaths.md",), draw_walks),
    (("pictures",), draw_tutorials),
    (("pictures", "report.png"), draw_report),
)

if __name__ == "__main__":
    try:
        main()
    except Misuse as fault:
        print(f"docs/generate.py: {fault}", file=sys.stderr)  # noqa: T201
        sys.exit(2)
