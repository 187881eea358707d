"""Which items a participant is shown, and in which order, from how often each was seen, and from chance."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from beholder.errors import Misuse
from beholder.study.design.file import FIRST, SECOND, Shown, Study

if TYPE_CHECKING:
    import numpy as np

Exposure = Mapping[str, int]  # item → how often it was answered, or is leased; nothing: never
APART = 5  # trials that lie between a clip and its repeat, where there are so many


@dataclass(frozen=True)
class Drawn:
    """One trial of a participant."""

    use: str  # practice, trial, check, repeat
    item: str
    kind: str  # class of the item; of two, "first|second"
    other: str = ""  # two_alternative: the one that is shown second


def draw(study: Study, exposure: Exposure, rng: np.random.Generator) -> list[Drawn]:
    """All trials of a participant in order: practice, then what is judged, with checks and repeats among it."""
    judged = _pairs(study, exposure, rng) if study.trial == "two_alternative" else _singles(study, exposure, rng)
    order = _in_order(judged, study.trials.longest_run, rng)
    order = _with_repeats(order, study.trials.repeats, study.trials.longest_run, rng)
    order = _with_checks(order, _some(study, "check", study.trials.checks, rng), rng)
    return [*_some(study, "practice", study.trials.practice, rng), *order]


def right_answer(study: Study, drawn: Drawn) -> str:
    """The answer to the first question that is right, or nothing where none is.

    A check has the answer that it asks for; of others the class decides.
    """
    if drawn.use == "check":
        return next(item.expected for item in study.items if item.id == drawn.item)
    return right_by_class(study, drawn.kind)


def right_by_class(study: Study, kind: str) -> str:
    """The answer that is right for a class, or for two of them joined by |: the one that has an entry in `right`."""
    if study.trial == "two_alternative":
        target = [place for place, own in zip((FIRST, SECOND), kind.split("|"), strict=False) if own in study.right]
        return target[0] if len(target) == 1 else ""
    return study.right.get(kind, "") if study.trial == "yes_no" else ""


def faults(study: Study, exposure: Exposure, drawn: Sequence[Drawn]) -> list[str]:
    """What is wrong with a drawing, in sentences: an item was passed over though it was seen less often, and so on."""
    judged = [one for one in drawn if one.use == "trial"]
    taken = [name for one in judged for name in (one.item, one.other) if name]
    items = {item.id: item for item in study.items}
    groups = [_group(items[one.item]) for one in judged]
    found = []
    if len(set(groups)) < len(groups):
        found.append("two trials belong to one group")
    if study.trial != "two_alternative":
        counts = {kind: sum(one.kind == kind for one in judged) for kind in study.per_class}
        if counts != study.per_class:
            found.append(f"got {counts}; expected {study.per_class}")
    highest: dict[str, int] = {}
    for name in taken:
        kind = items[name].kind
        highest[kind] = max(highest.get(kind, 0), exposure.get(name, 0))
    used = set(groups)
    for item in study.items:
        free = item.use == "trial" and _group(item) not in used and study.trial != "two_alternative"
        if free and exposure.get(item.id, 0) < highest.get(item.kind, 0):
            found.append(f"{item.id} was seen {exposure.get(item.id, 0)} times and was passed over")
    return found


def _group(item: Shown) -> str:
    """What it is of; an item without a group is one by itself."""
    return f"group {item.group}" if item.group else f"item {item.id}"


def _some(study: Study, use: str, many: int, rng: np.random.Generator) -> list[Drawn]:
    """Practice or checks, at random; they belong to no class, and how often they are seen does not matter."""
    there = [item for item in study.items if item.use == use]
    chosen = [there[at] for at in rng.permutation(len(there))[:many]]
    if study.trial != "two_alternative":
        return [Drawn(use, item.id, item.kind) for item in chosen]
    found = []
    for item in chosen:  # the other one of its group, if there is one: else a check stands by itself
        fellows = [one for one in there if one.id != item.id and item.group and one.group == item.group]
        pair = [item, fellows[int(rng.integers(len(fellows)))]] if fellows else [item]
        found.append(_drawn(use, [pair[at] for at in rng.permutation(len(pair))] if use == "practice" else pair))
    return found


def _drawn(use: str, items: Sequence[Shown]) -> Drawn:
    other = items[1].id if len(items) > 1 else ""
    return Drawn(use, items[0].id, "|".join(item.kind for item in items), other)


def _singles(study: Study, exposure: Exposure, rng: np.random.Generator) -> list[Drawn]:
    """The items that were seen least, so many of each class, and no two of a group.

    This is an assignment of groups to places: the sum of the costs is least. A cost is, above all, how often the item
    was seen (squared from the least seen of its class, so that two steps weigh more than two single ones), then how
    often its group was, then chance. The second part takes groups first of which both versions are wanting: left to
    the end, one person would need both. Exposure then differs by 1 at most inside a class, but where there are hardly
    more groups than trials and several items of a class in each: there it may be 2 for a while.
    """
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    best = _least_by_group(study, exposure, rng)
    groups = sorted({group for group, _ in best})
    places = [kind for kind, many in study.per_class.items() for _ in range(many)]
    least = {
        kind: min((exposure.get(i.id, 0) for (_, k), i in best.items() if k == kind), default=0) for kind in places
    }
    of_group = _exposure_of_groups(study, exposure)
    lowest = min(of_group.values())
    chance = dict(zip(groups, rng.random(len(groups)), strict=True))
    widest = (
        1 + max(of_group.values()) - lowest
    )  # so that all second parts together weigh less than one step of the first
    step = (widest + 1) * (len(places) + 1)
    never = float(step) * (1 + max(exposure.values(), default=0)) ** 2 * (len(places) + 1)
    row = {}
    for kind in dict.fromkeys(places):
        row[kind] = np.full(len(groups), never)
        for at, group in enumerate(groups):
            if (group, kind) in best:
                above = exposure.get(best[group, kind].id, 0) - least[kind]
                row[kind][at] = step * above**2 + (of_group[group] - lowest) + 0.5 * chance[group]
    if len(places) > len(groups):
        raise _too_few(study, len(groups))
    rows, columns = linear_sum_assignment(np.array([row[kind] for kind in places]))
    if any(row[places[at]][column] == never for at, column in zip(rows, columns, strict=True)):
        raise _too_few(study, len(groups))
    return [_drawn("trial", [best[groups[column], places[at]]]) for at, column in zip(rows, columns, strict=True)]


def _too_few(study: Study, groups: int) -> Misuse:
    return Misuse(
        f"{study.name}: got items of {groups} groups; expected enough for {study.trials.count} trials "
        f"({', '.join(f'{many} {kind}' for kind, many in study.per_class.items())}) with no two from the same group; "
        "add groups, or ask for fewer trials"
    )


def _least_by_group(study: Study, exposure: Exposure, rng: np.random.Generator) -> dict[tuple[str, str], Shown]:
    """Group and class → the item that was seen least; of several, one at random."""
    best: dict[tuple[str, str], Shown] = {}
    judged = [item for item in study.items if item.use == "trial"]
    for at in rng.permutation(len(judged)):
        item = judged[at]
        place = (_group(item), item.kind)
        if place not in best or exposure.get(item.id, 0) < exposure.get(best[place].id, 0):
            best[place] = item
    return best


def _exposure_of_groups(study: Study, exposure: Exposure) -> dict[str, int]:
    seen: dict[str, int] = defaultdict(int)
    for item in study.items:
        if item.use == "trial":
            seen[_group(item)] += exposure.get(item.id, 0)
    return seen


def _pairs(study: Study, exposure: Exposure, rng: np.random.Generator) -> list[Drawn]:
    """Two of one group and of two classes (of one class, where there is only one): the pairs that were seen least."""
    groups: dict[str, list[Shown]] = defaultdict(list)
    for item in study.items:
        if item.use == "trial":
            groups[_group(item)].append(item)
    unlike = len(study.classes) > 1
    best: list[tuple[int, float, tuple[Shown, Shown]]] = []
    for fellows in groups.values():
        pairs = [
            (exposure.get(a.id, 0) + exposure.get(b.id, 0), float(rng.random()), (a, b))
            for a, b in combinations(fellows, 2)
            if a.kind != b.kind or not unlike
        ]
        if pairs:
            best.append(min(pairs, key=lambda pair: pair[:2]))
    if len(best) < study.trials.count:
        raise Misuse(
            f"{study.name}: got {len(best)} groups with a pair to show; expected {study.trials.count} or more, "
            "as trials says; add items, or ask for fewer trials"
        )
    chosen = [pair for *_, pair in sorted(best, key=lambda one: one[:2])[: study.trials.count]]
    turned = rng.permutation([at % 2 for at in range(len(chosen))])  # as often one way round as the other
    found = []
    for (a, b), turn in zip(chosen, turned, strict=True):
        pair = sorted((a, b), key=lambda item: (item.kind, item.id))
        found.append(_drawn("trial", pair[::-1] if turn else pair))
    return found


def longest_run(kinds: Iterable[str]) -> int:
    """How often the same stands in a row, at most.

    >>> longest_run("aabbbab")
    3
    """
    longest, length, before = 0, 0, None
    for kind in kinds:
        length = length + 1 if kind == before else 1
        longest, before = max(longest, length), kind
    return longest


def _in_order(trials: Sequence[Drawn], longest: int, rng: np.random.Generator) -> list[Drawn]:
    """A random order without a longer run of one class than is allowed, where there is one."""
    left: dict[str, list[Drawn]] = defaultdict(list)
    for at in rng.permutation(len(trials)):
        left[trials[at].kind].append(trials[at])
    order: list[Drawn] = []
    while any(left.values()):
        kinds = [kind for kind, rest in left.items() if rest]
        fit = [kind for kind in kinds if _goes_on(order, kind, left, longest)] or kinds
        weights = [len(left[kind]) / sum(len(left[kind]) for kind in fit) for kind in fit]
        order.append(left[fit[int(rng.choice(len(fit), p=weights))]].pop())
    return order


def _goes_on(order: Sequence[Drawn], kind: str, left: Mapping[str, Sequence[Drawn]], longest: int) -> bool:
    """Whether a trial of this class may come next, so that the rest can still be put in order."""
    run = _run_at_end([one.kind for one in order] + [kind])
    if run > longest:
        return False
    counts = {name: len(rest) - (name == kind) for name, rest in left.items()}
    total = sum(counts.values())
    for name, many in counts.items():
        room = (total - many + 1) * longest - (run if name == kind else 0)
        if many > room:
            return False
    return True


def _run_at_end(kinds: Sequence[str]) -> int:
    return next((at for at, kind in enumerate(reversed(kinds)) if kind != kinds[-1]), len(kinds))


def _with_repeats(order: list[Drawn], many: int, longest: int, rng: np.random.Generator) -> list[Drawn]:
    """Show some a second time, some trials later; those for which there is no such place are taken last."""
    left = [order[at] for at in rng.permutation(len(order))]
    for _ in range(min(many, len(left))):
        places = {one: _places_again(order, one, longest) for one in left}
        first = next((one for one in left if places[one]), left[0])
        left.remove(first)
        fit = places[first] or [len(order)]
        place = fit[int(rng.integers(len(fit)))]
        order = [*order[:place], _again(first), *order[place:]]
    return order


def _again(first: Drawn) -> Drawn:
    return Drawn("repeat", first.item, first.kind, first.other)


def _places_again(order: Sequence[Drawn], first: Drawn, longest: int) -> list[int]:
    """Where a clip may be shown again: not soon, and without a run that is too long."""
    since = order.index(first) + 1 + APART
    tried = ((place, [*order[:place], _again(first), *order[place:]]) for place in range(since, len(order) + 1))
    return [place for place, then in tried if longest_run(one.kind for one in then) <= longest]


def _with_checks(order: list[Drawn], checks: Sequence[Drawn], rng: np.random.Generator) -> list[Drawn]:
    """Put checks among the trials: never first, and each in its own stretch."""
    edges = [1 + round(at * (len(order) - 1) / max(1, len(checks))) for at in range(len(checks) + 1)]
    for at in reversed(range(len(checks))):
        place = int(rng.integers(edges[at], max(edges[at] + 1, edges[at + 1])))
        order = [*order[:place], checks[at], *order[place:]]
    return order
