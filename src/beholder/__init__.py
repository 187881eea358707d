"""Beholder: how well a vision model agrees with people and with ground truth, and whether that can be trusted.

The public names are imported when they are first used (PEP 562), so that `import beholder` loads nothing heavy.
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
    "load": "registry.load",
    "measure": "core.measure",
    "model": "registry.models",
    "report": "evaluation.sections",
    "run": "evaluation.run",
    "save": "evaluation.record",
}
__all__ = ["__version__", *_HOME]  # noqa: PLE0604  (a literal list would be a second one to keep)

if TYPE_CHECKING:
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
    from beholder.registry.load import judge as judge
    from beholder.registry.load import load as load
    from beholder.registry.models import model as model
    from beholder.verdicts.agreement import agreement as agreement


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'beholder' has no attribute {name!r}")
    return getattr(import_module(f"beholder.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
