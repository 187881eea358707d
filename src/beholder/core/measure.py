"""A measure is a function that carries its card; nothing is registered."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

from beholder.core.sample import STATUSES
from beholder.errors import Misuse

if TYPE_CHECKING:
    import numpy as np

Better = Literal["higher", "lower", "neither"]
State = Literal["ok", "low", "partial", "na", "failed"]
Readout = Callable[[Any, Any], Any]
Measure = Callable[..., Any]
F = TypeVar("F", bound=Callable[..., Any])
# (observed, references, how often each sample occurs in each draw, **settings) → one value per draw, NaN where it is
# undefined; None where this cannot be done in one call.
DrawAtOnce = Callable[..., "np.ndarray[Any, Any] | None"]

STATES = ("ok", "low", "partial", "na", "failed")
SETTLED = ("ok", "low", "partial")  # states whose value is a number


class NotApplicable(Exception):
    """Nothing to measure here: raised by a model, a readout, a criterion or a measure; becomes a row `na`.

    >>> import beholder as bh
    >>> @bh.measure(better="lower", bounds=(0, 1), cite="")
    ... def share_lost(observed, reference):
    ...     if not len(reference):
    ...         raise bh.NotApplicable("nobody looked at this picture")
    ...     return 1 - len(observed) / len(reference)
    >>> share_lost([1], [1, 2])
    0.5
    """


class Result(NamedTuple):
    """A measure's answer when a bare float does not say enough.

    `parts` become rows of their own, with `part` filled, which judges leave alone. `lo` and `hi` are for a measure that
    knows its own interval, and `n` says how many things that is drawn from; where they are NaN and the card names what
    is resampled, the runner fills them. `status` is the worst of the reference numbers that the measure itself has
    looked up; it joins that of the sample.

    >>> import beholder as bh
    >>> bh.Result(0.25, parts={"x": 0.1, "y": 0.4}).parts["y"]
    0.4
    """

    value: float
    parts: Mapping[str, float] = {}
    state: State = "ok"
    reason: str = ""
    lo: float = math.nan
    hi: float = math.nan
    status: str = ""
    n: int = 1


def as_is(answer: Any, stimulus: Any) -> Any:
    """The readout of a model whose answer is already what the measure reads."""
    return answer


class Resampling(NamedTuple):
    """How the interval of a pooled measure is made: what is drawn, and how often."""

    by: str  # "sample", or a tag whose values are drawn as clusters
    draws: int = 1000
    at_once: DrawAtOnce | None = None  # all draws in one call, where that is faster


@dataclass(frozen=True)
class Card:
    """All that a table, a report or a reader must know of a measure besides its formula."""

    name: str
    better: Better
    bounds: tuple[float, float]
    cite: str
    reads: Readout = as_is
    per: str = "sample"  # "sample", a tag, or "dataset"
    resampling: Resampling | None = None  # pooled measures only; judges resample those per sample
    unit: str = ""  # of the value: %, px, bits …
    settings: Mapping[str, Any] = field(default_factory=dict)  # that tell this variant from others, in a table's words
    parts: Mapping[str, Better] = field(default_factory=dict)  # the direction of each part; unlisted parts have neither
    person: float | None = None  # what a person expects of it, where theory says so: drawn wherever the measure is
    excludes: Callable[[Any], str] | None = None  # reference → why the measure is not about this sample, or ""

    def __post_init__(self) -> None:
        if self.better not in ("higher", "lower"):
            raise Misuse(f"measure {self.name}: got better={self.better!r}; expected 'higher' or 'lower'")
        if self.resampling and self.per == "sample":
            raise Misuse(f"measure {self.name}: resample is for pooled measures; judges resample those per sample")

    @property
    def best(self) -> float:
        """The bound that a perfect answer reaches."""
        return self.bounds[1] if self.better == "higher" else self.bounds[0]

    @functools.cached_property
    def variant(self) -> str:
        """The settings as one text, as the column `settings` has them."""
        return ",".join(f"{key}={value}" for key, value in self.settings.items())

    @functools.cached_property
    def label(self) -> str:
        """Name and settings: what tells this measure from all others of a benchmark."""
        return label(self.name, self.variant)


def label(name: str, settings: str = "", part: str = "") -> str:
    """What a measure, a variant or a part of it is called in sentences.

    >>> label("auc", "preset=tuebingen"), label("final_score", part="tau")
    ('auc(preset=tuebingen)', 'final_score.tau')
    """
    return name + (f"({settings})" if settings else "") + (f".{part}" if part else "")


def measure(  # noqa: PLR0913  (the fields of a card)
    *,
    better: Better,
    bounds: tuple[float, float],
    cite: str,
    reads: Readout = as_is,
    per: str = "sample",
    resample: str = "",
    draws: int = 1000,
    at_once: DrawAtOnce | None = None,
    unit: str = "",
    parts: Mapping[str, Better] | None = None,
    person: float | None = None,
    excludes: Callable[[Any], str] | None = None,
) -> Callable[[F], F]:
    """Give a function (observed, reference) → float or `Result` its card. The function itself is returned.

    With `per` = "sample" it gets one pair; with a tag or "dataset" it gets two equally long lists. `excludes` says
    of a reference why the measure is not about its sample, or "": such a sample has no row, and its count, status or
    loss does not enter the measure.

    >>> import beholder as bh
    >>> @bh.measure(better="lower", bounds=(0, float("inf")), cite="", unit="px")
    ... def miss(observed, reference):
    ...     return abs(observed - reference)
    >>> miss(3.0, 5.0), miss.card.better
    (2.0, 'lower')
    """

    def give(of: F) -> F:
        resampling = Resampling(resample, draws, at_once) if resample else None
        made = Card(of.__name__, better, bounds, cite, reads, per, resampling, unit)
        of.card = replace(made, parts=parts or {}, person=person, excludes=excludes)  # type: ignore[attr-defined]
        return of

    return give


def card(of: Measure) -> Card:
    """The card of a measure."""
    found = getattr(of, "card", None)
    if not isinstance(found, Card):
        raise Misuse(f"{getattr(of, '__name__', of)} has no card; decorate it with @measure(...)")
    return found


def fix(of: Measure, told: Mapping[str, Any] | None = None, /, **settings: Any) -> Measure:
    """The measure with some settings fixed; tables show these, or what is `told` instead.

    >>> @measure(better="lower", bounds=(0, 1), cite="")
    ... def off(observed, reference, *, by=1.0):
    ...     return float(abs(observed - reference) > by)
    >>> card(fix(off, by=2)).label, card(fix(off, {"preset": "coarse"}, by=2)).label
    ('off(by=2)', 'off(preset=coarse)')
    """
    known = [p.name for p in inspect.signature(of).parameters.values()][2:]  # after observed and reference
    for name in settings:
        if name not in known:
            raise Misuse(f"{card(of).label} has no setting {name!r}; it has {', '.join(known) or 'none'}")
    return recard(functools.partial(of, **settings), card(of), settings if told is None else told)


def recard(of: Measure, its: Card, told: Mapping[str, Any], **changes: Any) -> Measure:
    """Give a function the card of the measure that it varies, told apart by further settings."""
    of.card = replace(its, settings={**its.settings, **told}, **changes)  # type: ignore[attr-defined]
    return of


def arguments(of: Measure) -> dict[str, Any]:
    """The settings that are fixed in a measure, as it is called with them."""
    fixed: dict[str, Any] = {}
    while isinstance(of, functools.partial):
        fixed = {**of.keywords, **fixed}
        of = of.func
    return fixed


def result(value: Any) -> Result:
    """What a measure returned, as a `Result`. NaN that claims to be a value is `na`: undefined is never a number.

    >>> result(Result(0.5, parts={"x": None}))
    Traceback (most recent call last):
    ValueError: got None for part 'x'; expected a number
    """
    found = _checked(value) if isinstance(value, Result) else Result(float(value))
    if math.isnan(found.value) and found.state in SETTLED:
        return found._replace(state="na", reason=found.reason or "undefined here")
    if found.state not in SETTLED and not math.isnan(found.value):
        return found._replace(value=math.nan)
    return found


def _checked(given: Result) -> Result:
    """A measure's own `Result`, each field of the kind that a row needs: later, no measure could be blamed."""
    for what, said, known in (("state", given.state, STATES), ("status", given.status, STATUSES)):
        if said not in known:
            raise ValueError(f"got {what} {said!r}; expected one of {', '.join(filter(None, known))}")
    if _is_plain(given):
        return given._replace(parts=dict(given.parts)) if given.parts else given
    value, lo, hi, n = (_number(what, getattr(given, what)) for what in ("value", "lo", "hi", "n"))
    parts = {str(part): _number(f"part {part!r}", number) for part, number in given.parts.items()}
    return Result(value, parts, given.state, str(given.reason), lo, hi, given.status, int(n))


def _is_plain(given: Result) -> bool:
    """Whether every field is of its kind already, as it mostly is: measures return some ten thousand a picture."""
    numbers = {type(number) for number in (given.value, given.lo, given.hi, *given.parts.values())}
    return numbers == {float} and type(given.n) is int and {type(given.reason), *map(type, given.parts)} == {str}


def _number(what: str, given: Any) -> float:
    """A number that a measure has returned."""
    try:
        return float(given)
    except (TypeError, ValueError):
        raise ValueError(f"got {given!r} for {what}; expected a number") from None
