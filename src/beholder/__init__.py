"""Beholder: how well a vision model agrees with people and with ground truth, and whether that can be trusted.

The public names are imported when they are first used (PEP 562), so that `import beholder` loads nothing heavy.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOME = {
    "Dataset": "spine.sample",
    "Benchmark": "spine.benchmark",
    "Criterion": "spine.benchmark",
    "NotApplicable": "spine.measure",
    "People": "spine.benchmark",
    "Recorded": "spine.benchmark",
    "Result": "spine.measure",
    "Sample": "spine.sample",
    "Screen": "screen",
    "Verdict": "spine.benchmark",
    "cite": "spine.record",
    "compare": "spine.compare",
    "fix": "spine.measure",
    "judge": "spine.load",
    "load": "spine.load",
    "measure": "spine.measure",
    "model": "spine.plug",
    "report": "spine.chapter",
    "run": "spine.run",
    "save": "spine.record",
}
__all__ = ["__version__", *_HOME]  # noqa: PLE0604  (a literal list would be a second one to keep)

if TYPE_CHECKING:
    from beholder.screen import Screen as Screen
    from beholder.spine.benchmark import Benchmark as Benchmark
    from beholder.spine.benchmark import Criterion as Criterion
    from beholder.spine.benchmark import People as People
    from beholder.spine.benchmark import Recorded as Recorded
    from beholder.spine.benchmark import Verdict as Verdict
    from beholder.spine.chapter import report as report
    from beholder.spine.compare import compare as compare
    from beholder.spine.load import judge as judge
    from beholder.spine.load import load as load
    from beholder.spine.measure import NotApplicable as NotApplicable
    from beholder.spine.measure import Result as Result
    from beholder.spine.measure import fix as fix
    from beholder.spine.measure import measure as measure
    from beholder.spine.plug import model as model
    from beholder.spine.record import cite as cite
    from beholder.spine.record import save as save
    from beholder.spine.run import run as run
    from beholder.spine.sample import Dataset as Dataset
    from beholder.spine.sample import Sample as Sample


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'beholder' has no attribute {name!r}")
    return getattr(import_module(f"beholder.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
