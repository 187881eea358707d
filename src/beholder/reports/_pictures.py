"""Pictures of verdicts as SVG that stands inside a page."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from io import StringIO
from typing import TYPE_CHECKING, NamedTuple

from beholder.core.scores import CELL, COMPONENT, is_part
from beholder.reports._judges import MOST, critical_difference, pareto_layers

if TYPE_CHECKING:
    import pandas as pd
    from markupsafe import Markup
    from matplotlib.figure import Figure

    from beholder.core.benchmark import Verdict

Draw = Callable[[], "Figure"]
UNSAID = dict.fromkeys(("Creator", "Date", "Format", "Type"))  # equal runs give equal pages
ROOT = re.compile(r'<svg[^>]*viewBox="0 0 (?P<width>[\d.]+) (?P<height>[\d.]+)"[^>]*>(?P<inside>.*)</svg>', re.DOTALL)
STYLE = re.compile(r"<defs>\s*<style\b.*?</style>\s*</defs>", re.DOTALL)  # it would hold for the whole page
TAG = re.compile(r"<[^>]*>")  # in texts and attributes matplotlib writes &lt; and &gt;
NAMED = re.compile(r'(?<=\sid=")|(?<=href="#)|(?<=url\(#)')


class Picture(NamedTuple):
    """A drawing for the inside of an svg element, in points; or why there is none."""

    title: str
    width: float = 0.0
    height: float = 0.0
    inside: Markup | str = ""
    fault: str = ""


def picture(scores: pd.DataFrame, verdict: Verdict, id: str) -> Picture | None:
    """What there is to be seen of a verdict on these scores; None where there is nothing to draw.

    All ids in it begin with `id`. A picture that cannot be drawn costs itself only, and says why.
    """
    found = _subject(scores, verdict)
    if found is None:
        return None
    title, draw = found
    try:
        return _inline(title, svg(draw, id), id)
    except Exception as fault:  # noqa: BLE001  (drawing meets anybody's names and numbers; the page must not fall with it)
        return Picture(title, fault=f"{type(fault).__name__}: {fault}")


def _subject(scores: pd.DataFrame, verdict: Verdict) -> tuple[str, Draw] | None:
    """The title of a verdict's picture, and what draws it."""
    columns = set(verdict.standing.columns)
    if len(verdict.standing) < 2:
        return None
    if {"mean_rank", "groups"} <= columns:
        return "Mean ranks; bars join models that are not told apart", lambda: critical_difference(verdict)
    if "layer" in columns and _axes(scores) > 1:
        return "Models over components, in the colours of their Pareto layers", lambda: pareto_layers(scores, verdict)
    return None


def _axes(scores: pd.DataFrame) -> int:
    """How many axes Pareto layers are drawn over."""
    judged = scores[(scores["role"] == "model") & ~scores["measure"].map(is_part).astype(bool)]
    components = len(judged[COMPONENT].drop_duplicates())
    return components if components <= MOST else len(judged[CELL].drop_duplicates())


def svg(draw: Draw, salt: str) -> str:
    """A figure as a text of SVG, in which text stays text."""
    from matplotlib import rc_context

    text = StringIO()
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": salt}), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # letters that our font lacks are drawn by the browser, in one of its own
        draw().savefig(text, format="svg", metadata=UNSAID)
    return text.getvalue()


def _inline(title: str, text: str, id: str) -> Picture:
    """SVG without prolog and root; its style sheet is left out, and ids are made its own."""
    from markupsafe import Markup

    found = ROOT.search(text)
    if found is None:
        raise ValueError("got a drawing without an svg element; expected one with a viewBox")
    inside = TAG.sub(lambda tag: NAMED.sub(f"{id}-", tag[0]), STYLE.sub("", found["inside"])).strip()
    return Picture(title, float(found["width"]), float(found["height"]), Markup(inside))
