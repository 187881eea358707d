"""bh.plot: one door to all figures."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from beholder.core.benchmark import Benchmark
from beholder.core.sample import Sample
from beholder.core.verdict import Verdict
from beholder.errors import Misuse
from beholder.evaluation.record import Run
from beholder.evaluation.sections import open_run, sections
from beholder.registry.find import nearest
from beholder.reports.comparison.notebook.forest import draw_pair
from beholder.reports.plots.of_section import draw_section, draw_verdict
from beholder.reports.plots.sheet import draw_sample, draw_sheet
from beholder.verdicts.compare import Comparison

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DPI, WIDE = 80, 760  # of what a notebook shows, and its pixels across: savefig takes any other


def plot(what: Any, kind: str = "", *, models: Any = None, measure: str = "", benchmark: str = "") -> Figure:
    """A figure, as a matplotlib object: a notebook shows it, `.savefig("name.pdf")` writes it.

    Scores, as `run` gives them, or the folder of a run: `kind` is "scores" (everyone's means between the best blind
    model and people, your models in their own colour), "skill", or a judge's name ("pareto": layers over measures;
    "nemenyi": mean ranks with their critical difference; "mean_rank" …). `measure` confines it to one measure,
    `benchmark` names one of several.

    A comparison: on how many units which model is ahead. A verdict: its standing. A benchmark: the sheet of one sample,
    whose id is `kind`, with the answers of `models`. A sample: its pictures.

    >>> import beholder as bh
    >>> scores = bh.run(bh.load("stereo/dense", limit=1), jobs=0)
    >>> figure = bh.plot(scores)
    >>> [axes.get_title(loc="left") for axes in figure.axes]
    ['bad_pixels [%], nonocc', 'bad_pixels [%]', 'bad_pixels [%], disc']
    """
    figure = _draw(what, kind, models, measure, benchmark)
    _let_notebooks_show(type(figure))
    return figure


def _draw(what: Any, kind: str, models: Any, measure: str, benchmark: str) -> Figure:
    if isinstance(what, Benchmark):
        return draw_sheet(what, kind, models)
    if isinstance(what, Sample):
        return draw_sample(what)
    if isinstance(what, Comparison):
        return draw_pair(what)
    if isinstance(what, Verdict):
        return draw_verdict(what)
    if not isinstance(what, str | Path | Run) and not hasattr(what, "columns"):
        raise Misuse(
            f"got a {type(what).__name__} to plot; expected scores, the folder of a run, a comparison, a verdict, "
            "a benchmark or a sample"
        )
    found = {section.benchmark: section for section in sections([open_run(what)])}
    if len(found) > 1 and benchmark not in found:
        raise Misuse(f"got scores of {len(found)} benchmarks; name one with benchmark={nearest(benchmark, found)}")
    return draw_section(
        found[benchmark] if benchmark in found else next(iter(found.values())), kind or "scores", measure
    )


def _let_notebooks_show(kind: type[Figure]) -> None:
    """In IPython, figures that were not made by pyplot are shown like those that were."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is not None and hasattr(shell, "display_formatter"):
        formatter = shell.display_formatter.formatters["image/png"]
        if kind not in formatter.type_printers:
            formatter.for_type(kind, _png)


def _png(figure: Figure) -> bytes:
    """A figure as a notebook keeps it: in 256 colours, which is a third of the bytes and looks the same."""
    from PIL import Image

    drawn, file = io.BytesIO(), io.BytesIO()
    figure.savefig(drawn, format="png", dpi=min(DPI, WIDE / figure.get_figwidth()))
    Image.open(drawn).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()
