"""What there is, from Python: bh.list and bh.show."""

from __future__ import annotations

from html import escape

from beholder.registry.catalogue import listing, shown


class Text(str):
    """A text that a shell shows as it reads."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self)}</pre>"


def list(*words: str) -> Text:
    """What there is: benchmarks, datasets, models, measures, judges. In one domain, or of one kind, where it is named.

    >>> import beholder as bh
    >>> "mean_rank" in bh.list("judges")
    True
    """
    return Text(listing(*words))


def show(name: str) -> Text:
    """The card of anything by its name: what it is, its formula, range, settings and source.

    >>> import beholder as bh
    >>> "lower is better" in bh.show("bad_pixels")
    True
    """
    return Text(shown(name))
