"""Beholder: how well a vision model agrees with people and with ground truth, and whether that can be trusted.

    import beholder as bh

    stereo = bh.load("stereo/dense")                 # bh.list() says what there is, bh.show(name) what it is

    def mine(pair):                                  # a model is a function from stimulus to answer
        return my_disparity(pair.left, pair.right)

    scores = bh.run(stereo, mine)                    # a pandas table; baselines and blind models take part
    print(stereo.judge(scores))                      # who is best, and how far that can be trusted
    bh.plot(scores)                                  # everyone between the best blind model and people
    bh.compare(scores, "mine", "sgbm")               # two models, paired
    bh.plot(stereo, models=mine)                     # one sample with what your model answers
    bh.save("runs/today", scores)                    # for bh.report, bh.cite and the command `beholder`

Look up    list, show                                what there is, and the card of anything
Run        load, model, run                          a benchmark, a model by its spec, the scores
Judge      judge, compare, agreement, Verdict        who is best; two models; whether judges agree
Show       plot, report, save, cite                  figures, reports, what is kept, BibTeX
Make       Benchmark, Dataset, Sample, measure, fix, Criterion, People, Recorded, Result, NotApplicable, Screen
                                                     your own data, measures and benchmarks

Each name has an example: help(bh.run). Names are imported when they are first used: `import beholder` loads nothing
heavy.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOME = {
    "Dataset": "core.sample",
    "Benchmark": "core.benchmark",
    "Criterion": "core.benchmark",
    "NotApplicable": "core.measure",
    "People": "core.benchmark",
    "Recorded": "core.benchmark",
    "Result": "core.measure",
    "Sample": "core.sample",
    "Screen": "display",
    "Verdict": "core.verdict",
    "cite": "evaluation.record",
    "agreement": "verdicts.agreement",
    "compare": "evaluation.comparisons",
    "fix": "core.measure",
    "judge": "registry.load",
    "list": "registry.browse",
    "load": "registry.load",
    "measure": "core.measure",
    "model": "registry.models",
    "plot": "reports.plots.plot",
    "report": "evaluation.sections",
    "run": "evaluation.run",
    "save": "evaluation.record",
    "show": "registry.browse",
}
# `from beholder import *` must not hide Python's own list.
__all__ = ["__version__", *(name for name in _HOME if name != "list")]  # noqa: PLE0604  (no second list to keep)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from beholder.core.benchmark import Benchmark as Benchmark
    from beholder.core.benchmark import Criterion as Criterion
    from beholder.core.benchmark import People as People
    from beholder.core.benchmark import Recorded as Recorded
    from beholder.core.measure import NotApplicable as NotApplicable
    from beholder.core.measure import Result as Result
    from beholder.core.measure import fix as fix
    from beholder.core.measure import measure as measure
    from beholder.core.sample import Dataset as Dataset
    from beholder.core.sample import Sample as Sample
    from beholder.core.verdict import Verdict as Verdict
    from beholder.display import Screen as Screen
    from beholder.evaluation.comparisons import compare as compare
    from beholder.evaluation.record import cite as cite
    from beholder.evaluation.record import save as save
    from beholder.evaluation.run import run as run
    from beholder.evaluation.sections import report as report
    from beholder.registry.browse import list as list
    from beholder.registry.browse import show as show
    from beholder.registry.load import judge as judge
    from beholder.registry.load import load as load
    from beholder.registry.models import model as model
    from beholder.reports.plots.plot import plot as plot
    from beholder.verdicts.agreement import agreement as agreement


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        from difflib import get_close_matches

        near = get_close_matches(name, _HOME, 1)
        hint = f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(sorted(_HOME))}"
        raise AttributeError(f"module 'beholder' has no attribute {name!r}{'' if name.startswith('_') else hint}")
    return getattr(import_module(f"beholder.{_HOME[name]}"), name)


def __dir__() -> "Sequence[str]":
    return sorted(["__version__", *_HOME])
