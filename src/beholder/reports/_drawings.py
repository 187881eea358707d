"""Drawings of verdicts as SVG that stands inside a page."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from io import StringIO
from typing import TYPE_CHECKING, NamedTuple

from beholder.verdicts.drawing import count_axes, draw_critical_difference, draw_pareto_layers

if TYPE_CHECKING:
    import pandas as pd
    from markupsafe import Markup
    from matplotlib.figure import Figure

    from beholder.core.verdict import Verdict

Draw = Callable[[], "Figure"]
UNSAID = dict.fromkeys(("Creator", "Date", "Format", "Type"))  # equal runs give equal pages
ROOT = re.compile(r'<svg[^>]*viewBox="0 0 (?P<width>[\d.]+) (?P<height>[\d.]+)"[^>]*>(?P<inside>.*)</svg>', re.DOTALL)
STYLE = re.compile(r"<defs>\s*<style\b.*?</style>\s*</defs>", re.DOTALL)  # it would hold for the whole page
TAG = re.compile(r"<[^>]*>")  # in texts and attributes matplotlib writes &lt; and &gt;
NAMED = re.compile(r'(?<=\sid=")|(?<=href="#)|(?<=url\(#)')


class Drawing(NamedTuple):
    """A drawing for the inside of an svg element, in points; or why there is none."""

    title: str
    width: float = 0.0
    height: float = 0.0
    inside: Markup | str = ""
    fault: str = ""


def drawing(scores: pd.DataFrame, verdict: Verdict, id: str) -> Drawing | None:
    """What there is to be seen of a verdict on these scores; None where there is nothing to draw.

    All ids in it begin with `id`. What cannot be drawn costs itself only, and says why.
    """
    found = _subject(scores, verdict)
    if found is None:
        return None
    title, draw = found
    try:
        return _inline(title, svg(draw, id), id)
    except Exception as fault:  # noqa: BLE001  (drawing meets anybody's names and numbers; the page must not fall with it)
        return Drawing(title, fault=f"{type(fault).__name__}: {fault}")


def _subject(scores: pd.DataFrame, verdict: Verdict) -> tuple[str, Draw] | None:
    """The title of a verdict's drawing, and what draws it."""
    columns = set(verdict.standing.columns)
    if len(verdict.standing) < 2:
        return None
    if {"mean_rank", "groups"} <= columns:
        return "Mean ranks; bars join models that do not differ significantly", lambda: draw_critical_difference(
            verdict
        )
    if "layer" in columns and count_axes(scores) > 1:
        return "Models over components, in the colours of their Pareto layers", lambda: draw_pareto_layers(
            scores, verdict
        )
    return None


def svg(draw: Draw, salt: str) -> str:
    """A figure as a text of SVG, in which text stays text."""
    from matplotlib import rc_context

    text = StringIO()
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": salt}), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # letters that our font lacks are drawn by the browser, in one of its own
        draw().savefig(text, format="svg", metadata=UNSAID)
    return text.getvalue()


def _inline(title: str, text: str, id: str) -> Drawing:
    """SVG without prolog and root; its style sheet is left out, and ids are made its own."""
    from markupsafe import Markup

    found = ROOT.search(text)
    if found is None:
        raise ValueError("got a drawing without an svg element; expected one with a viewBox")
    inside = TAG.sub(lambda tag: NAMED.sub(f"{id}-", tag[0]), STYLE.sub("", found["inside"])).strip()
    return Drawing(title, float(found["width"]), float(found["height"]), Markup(inside))
