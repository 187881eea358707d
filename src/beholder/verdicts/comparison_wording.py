"""The words of a paired comparison: the answer first, then how sure it is, then what could not be tested."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from beholder.errors import listed
from beholder.verdicts.wording import cell

if TYPE_CHECKING:
    from beholder.verdicts.compare import Line

NAMED = 4  # measures that a sentence names; it counts the others
FOR_A, FOR_B = ("better", "ahead"), ("worse", "behind")  # outcomes; the first of each is significant


def says(a: str, b: str, lines: Sequence[Line], *, needed: Callable[[int], int]) -> str:
    """Who is better on how many measures, and how surely; `needed` says how many units so many tests need.

    What was measured once over a whole dataset, or on few units, stands in a sentence of its own: it was not tested.
    """
    tested = [line for line in lines if not math.isnan(line.p_holm)]
    once = [line for line in lines if math.isnan(line.won)]
    few = [line for line in lines if line not in tested and line not in once]
    found = [_tested(a, b, tested, needed(len(tested)))] if tested else []
    found += [_once(a, b, once, further=bool(tested))] if once else []
    found += [_few(a, b, few, needed(len(tested) + len(few)))] if few else []
    return " ".join(found) or f"{a} and {b} share no unit on any measure, so they cannot be compared."


def _tested(a: str, b: str, lines: Sequence[Line], needed: int) -> str:
    """The sentence on measures that were tested, from the side of whoever is ahead."""
    count = Counter(line.outcome for line in lines)
    if count["equal"] == len(lines):
        return f"{a} and {b} are equal on {_all(lines)} ({_units(lines)})."
    if max(line.units for line in lines) < needed:
        return _few(a, b, lines, needed)
    if not count["better"] and not count["worse"]:
        return f"No significant difference between {a} and {b} on {_several(lines)} ({_units(lines)})."
    if count["better"] and count["worse"]:
        return _mixed(a, b, lines)
    return _beats(a, b, lines, FOR_A, FOR_B) if count["better"] else _beats(b, a, lines, FOR_B, FOR_A)


def _beats(winner: str, loser: str, lines: Sequence[Line], good: Sequence[str], bad: Sequence[str]) -> str:
    """Where only one of them is significantly better anywhere."""
    surely, ahead, behind = (len([line for line in lines if line.outcome in words]) for words in (good[:1], good, bad))
    if len(lines) == 1:
        return f"{winner} significantly {_verb(winner, 'beats')} {loser} on {_name(lines[0])} ({_units(lines)})."
    who = f"{winner} {_verb(winner, 'beats')} {loser}"
    sure = "all significantly" if surely == ahead else f"significantly on {surely}"
    but = f"; {loser} {_verb(loser, 'is')} ahead on {behind}, not significantly" if behind else ""
    return f"{who} on {ahead} of {len(lines)} measures, {sure}{but} (Holm, {_units(lines)})."


def _mixed(a: str, b: str, lines: Sequence[Line]) -> str:
    """Where each of them is significantly better somewhere."""
    good, bad = ([_name(line) for line in lines if line.outcome == word] for word in ("better", "worse"))
    return (
        f"Mixed: of {len(lines)} measures, {a} {_verb(a, 'is')} significantly better on {len(good)} "
        f"({listed(good, most=NAMED)}) and {b} on {len(bad)} ({listed(bad, most=NAMED)}) (Holm, {_units(lines)})."
    )


def _once(a: str, b: str, lines: Sequence[Line], *, further: bool) -> str:
    """The sentence on measures that were taken once over a whole dataset."""
    many = "measure was" if len(lines) == 1 else "measures were"
    which = f"{len(lines)} {'further ' * further}{many} taken once over all samples, so no paired test is possible"
    apart = len([line for line in lines if line.a_lo > line.b_hi or line.a_hi < line.b_lo])
    where = "" if len(lines) == 1 else f" on {apart}"
    return f"{which}: {_counts(a, b, lines)}{f', with intervals that do not overlap{where}' if apart else ''}."


def _counts(a: str, b: str, lines: Sequence[Line]) -> str:
    """On how many measures each is ahead."""
    count = Counter(line.outcome for line in lines)
    for_a, for_b = (sum(count[word] for word in words) for words in (FOR_A, FOR_B))
    if not for_a and not for_b:
        return f"{a} and {b} are equal"
    (first, most), (second, least) = sorted(((a, for_a), (b, for_b)), key=lambda one: -one[1])
    ahead = f"{first} {_verb(first, 'is')} ahead"
    if len(lines) == 1:
        return f"{ahead} of {second} on {_name(lines[0])}"
    equal = f" (equal on {count['equal']})" if count["equal"] else ""
    if least:
        return f"{ahead} on {most} of {len(lines)} measures, {second} on {least}{equal}"
    return f"{ahead} of {second} on {most} of {len(lines)} measures{equal}"


def _verb(who: str, form: str) -> str:
    """A verb that fits a model, or people.

    >>> _verb("sgbm", "beats"), _verb("people", "beats"), _verb("people", "is")
    ('beats', 'beat', 'are')
    """
    return form if who != "people" else "are" if form == "is" else form.removesuffix("s")


def _few(a: str, b: str, lines: Sequence[Line], needed: int) -> str:
    """The sentence where no difference, however clear, could be significant."""
    what = "the difference" if len(lines) == 1 else f"{len(lines)} measures"
    units = _units(lines)
    few = f"{units} {'is' if units == '1 unit' else 'are'} too few to test {what} ({needed} needed)"
    return f"{_counts(a, b, lines)}, but {few}."


def _several(lines: Sequence[Line]) -> str:
    return _name(lines[0]) if len(lines) == 1 else f"{len(lines)} measures"


def _all(lines: Sequence[Line]) -> str:
    return _name(lines[0]) if len(lines) == 1 else f"all {len(lines)} measures"


def _units(lines: Sequence[Line]) -> str:
    """How many units the lines rest on."""
    least, most = min(line.units for line in lines), max(line.units for line in lines)
    return f"{least if least == most else f'{least} to {most}'} unit{'s' * (most != 1)}"


def _name(line: Line) -> str:
    return cell(line.measure, line.settings, line.criterion)


def lacking(model: str, missing: int, of: int) -> str:
    """A note on units that the other model holds and this one does not; nothing where there are none.

    >>> lacking("mine", 2, 9)
    'mine lacks scores on 2 of 9 units that the other has: each measure is compared on the units that both have.'
    """
    so = "each measure is compared on the units that both have"
    lacks = f"{model} {_verb(model, 'lacks')} scores on {missing} of {of} units that the other has"
    return f"{lacks}: {so}." if missing else ""


def not_shared(cells: Sequence[str]) -> str:
    """A note on measures that cannot be compared; nothing where there are none."""
    return f"Not compared, because the two share no unit: {listed(cells, most=NAMED)}." if cells else ""


def partial(model: str, measures: Sequence[str]) -> str:
    """A note on measures over many samples some of which a model lost; nothing where there are none."""
    return f"{model} lost samples of {listed(measures, most=NAMED)}: its score rests on fewer." if measures else ""
