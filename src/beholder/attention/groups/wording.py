"""What the comparison of two groups says: the answer first, then the table, then how it was found."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence

from beholder.attention.groups.comparison import Finding
from beholder.attention.groups.reading import TwoGroups
from beholder.errors import listed

ALPHA = 0.05
HEAD = ("measure", "{first}", "{second}", "between", "difference [95 %]", "p", "corrected")


def told(given: TwoGroups, found: Sequence[Finding]) -> str:
    """All that is printed."""
    lines = [answer(given, found), "", *_table(given, found), "", *_how(given, found), *given.notes]
    return "\n".join(lines)


def answer(given: TwoGroups, found: Sequence[Finding]) -> str:
    """Whether the groups look differently, in one or two sentences."""
    first, second = given.first[0], given.second[0]
    sizes = f"{len(given.first[1])} and {len(given.second[1])} observers"
    sure = [one for one in found if one.corrected <= ALPHA]
    corrected = f"corrected for {len(found)} measures"
    if sure:
        each = listed([f"{one.name} (p = {_p(one.corrected)})" for one in sure])
        return f"{first} and {second} ({sizes}) look differently: {each}, {corrected}."
    least = min((one.corrected for one in found if math.isfinite(one.corrected)), default=math.nan)
    said = (
        f"No difference was found between {first} and {second} ({sizes}): the smallest p is {_p(least)}, {corrected}."
    )
    if _least_possible(found) > ALPHA:
        return (
            f"{said} None could have been found: with so few observers, no corrected p can be below "
            f"{_p(_least_possible(found))}. More observers are needed."
        )
    return f"{said} That does not show that there is no difference: look at the width of the intervals."


def _least_possible(found: Sequence[Finding]) -> float:
    """The smallest corrected p that could come out; groups of equal size can be swapped without any change."""
    fewest = min((one.ways / (2 if one.exact and one.sizes[0] == one.sizes[1] else 1) for one in found), default=1)
    return min(1.0, len(found) / fewest)


def _table(given: TwoGroups, found: Sequence[Finding]) -> list[str]:
    head = [word.format(first=given.first[0], second=given.second[0]) for word in HEAD]
    rows = [head, *map(_row, found)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(head))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _row(one: Finding) -> list[str]:
    if not math.isnan(one.between):
        means = [f"{one.first:.3f}", f"{one.second:.3f}", f"{one.between:.3f}"]
        effect = f"{one.effect:+.3f} [{one.lo:+.3f}, {one.hi:+.3f}]"
    else:
        means = [_amount(one.first, one.unit), _amount(one.second, one.unit), ""]
        effect = _distance(one)
    name = one.name if math.isnan(one.between) else f"{one.name} ({one.unit})"
    return [name, *means, effect, _p(one.p), _p(one.corrected)]


def _distance(one: Finding) -> str:
    """How far the distributions of two groups are apart, with its interval."""
    scale, digits, unit = {"of the diagonal": (100.0, 2, "%"), "ms": (1.0, 0, "ms")}.get(one.unit, (1.0, 2, "deg"))
    value, lo, hi = (f"{scale * number:.{digits}f}" for number in (one.effect, one.lo, one.hi))
    return f"{value} [{lo}, {hi}] {unit}"


def _amount(value: float, unit: str) -> str:
    """A group's mean with its unit.

    >>> _amount(4.123, "deg"), _amount(0.523, "horizontal"), _amount(231.4, "ms")
    ('4.12 deg', '52.3 % horizontal', '231 ms')
    """
    if unit in ("horizontal", "of the diagonal"):
        return f"{100 * value:.1f} % {unit}"
    return f"{value:.0f} ms" if unit == "ms" else f"{value:.2f} {unit}"


def _p(value: float) -> str:
    """A p-value.

    >>> _p(0.00794), _p(0.25), _p(1.0), _p(0.0001), _p(float("nan"))
    ('0.008', '0.25', '1', '0.0001', '—')
    """
    if math.isnan(value):
        return "—"
    return f"{value:.2g}" if value >= 0.1 else f"{value:.1g}"


def _how(given: TwoGroups, found: Sequence[Finding]) -> list[str]:
    shown = len(given.seen)
    ways, exact = max(one.ways for one in found), all(one.exact for one in found)
    tried = f"all {ways:,} ways" if exact else f"{ways:,} random ways"
    return [
        f"On {shown} {'stimulus' if shown == 1 else 'stimuli'} that both groups saw. p: the share of {tried} to "
        "split these observers into groups of the same sizes that give at least as large a difference; corrected "
        "by Holm's method.",
        "Scanpaths and maps: similarity of two people (1 if equal) within each group and between the groups; the "
        "difference is within minus between, 0 if the groups do not differ.",
        "Movements: each group's mean; the difference is the Wasserstein distance between the groups' "
        "distributions: how far values must be moved to turn one into the other. Intervals leave out each observer "
        "in turn.",
        "The test shows that the groups differ, not why: they may also differ in calibration, screen or task.",
    ]


def as_csv(found: Sequence[Finding]) -> str:
    """The findings as a table, one row a measure."""
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow([*(name for name in Finding._fields if name != "sizes"), "observers_first", "observers_second"])
    for one in found:
        held = one._asdict()
        lines.writerow([*(value for name, value in held.items() if name != "sizes"), *one.sizes])
    return text.getvalue()
