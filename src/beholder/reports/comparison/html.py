"""Two models side by side, as one page that opens from disk, without a network."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from beholder.reports import _comparison as _view
from beholder.reports._facts import address

if TYPE_CHECKING:
    from beholder.evaluation.comparisons import Compared


def html(compared: Sequence[Compared]) -> str:
    """A self-contained page; names are escaped wherever they stand, and pictures are linked relative to the page."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("beholder.reports", "templates")
    page = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    page.filters |= {"address": address}
    shown = [_benchmark(one) for one in compared]
    return page.get_template("comparison.html.j2").render(compared=shown, most=_view.MOST)


def _benchmark(one: Compared) -> dict[str, Any]:
    """What the template shows of one benchmark."""
    every = _view.extremes(one)
    return {
        "title": _view.title(one),
        "a": one.found.a,
        "b": one.found.b,
        "says": one.found.says,
        "notes": one.found.notes,
        "tables": _view.tables(one),
        "legend": _view.legend(one),
        "extremes": every,
        "pictures": {x.picture: x.unit for x in every if x.picture},
    }
