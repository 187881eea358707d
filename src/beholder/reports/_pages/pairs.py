"""Every pair of models that a page can be asked for: computed beforehand, as `beholder compare` does it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

from beholder.core.measure import label
from beholder.core.scores import ROLES
from beholder.errors import listed
from beholder.reports._comparison import digits_of, heading, row_of, signed
from beholder.reports._facts import OVERVIEW
from beholder.reports._numbers import number
from beholder.reports._pages.links import Link
from beholder.reports._pages.names import split_measure
from beholder.reports._pages.places import Subject
from beholder.store.paths import slug
from beholder.verdicts.compare import Line
from beholder.verdicts.pairs import Paired, compare_pairs

if TYPE_CHECKING:
    import pandas as pd

    from beholder.evaluation.sections import Section

MOST = 1500  # pairs × measures that are computed beforehand: a second or two
UNITS = 8  # where a pair differs most, that the page shows
YARDSTICKS = ("blind", "ceiling", "oracle")


def pairs(of: Subject, link: Link | None) -> dict[str, Any] | None:
    """The page's data on pairs of models; None where there are no two. Without a link, pictures are not shown."""
    section, judged = of.section, of.judged
    names = _names(of, judged)
    if len(names) < 2:
        return None
    wanted, left = chosen(of, judged, names)
    found = compare_pairs(judged, wanted)
    scales = {(m["name"], m["settings"]): m["unit"] for m in section.facts["measures"]}
    words = Words(names, scales, judged["criterion"].nunique() == 1, _pictures(section, link) if link else {})
    return {
        "names": names,
        "roles": list(_roles(judged, names)),
        "first": list(_first(of, wanted)),
        "left": left,
        "pairs": [_shown(order, words) for one in found for order in (one, one.turned)],
    }


def _names(of: Subject, judged: pd.DataFrame) -> list[str]:
    """Models in the order of the standing, the reader's own first, then yardsticks."""
    others = judged.loc[judged["role"].isin(YARDSTICKS), "model"].astype(str)
    there = set(judged["model"])
    return [name for name in dict.fromkeys([*of.own, *of.roles, *others]) if name in there]


def _roles(judged: pd.DataFrame, names: Iterable[str]) -> Iterator[str]:
    """The role of each; of a name with several roles, the first."""
    known = judged[["model", "role"]].drop_duplicates().groupby("model")["role"].agg(list)
    return (min(known[name], key=list(ROLES).index) for name in names)


def chosen(of: Subject, judged: pd.DataFrame, names: Sequence[str]) -> tuple[list[tuple[str, str]], str]:
    """All pairs where they are cheap; else the reader's own and the leaders with everybody, and a sentence on that."""
    cells = len(judged[["measure", "settings", "criterion"]].drop_duplicates())
    every = list(combinations(names, 2))
    if len(every) * cells <= MOST:
        return every, ""
    leaders = of.section.verdicts[0].leading if of.section.verdicts else ()
    room, some = max(MOST // cells, 1), dict.fromkeys([*of.own, *leaders[:3]])
    kept: list[tuple[str, str]] = [pair for pair in every if pair[0] in some or pair[1] in some][:room]
    who = listed(some, most=4)
    return kept, f"Pairs with {who} are ready here; beholder compare A B shows any other."


def _first(of: Subject, wanted: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """The pair to begin with: the reader's first model and the best, else the best two."""
    ready = {frozenset(pair) for pair in wanted}
    for a in (*of.own, *of.roles):
        for b in of.roles:
            if a != b and frozenset((a, b)) in ready:
                return a, b
    return wanted[0]


class Words(NamedTuple):
    """What the texts of all pairs share."""

    names: Sequence[str]
    scales: Mapping[tuple[str, str], str]  # by measure and settings: %, px …
    plain: bool  # whether there is one criterion only, which goes without saying
    pictures: Mapping[tuple[str, str], str]  # by dataset and sample, as file names


def _shown(one: Paired, words: Words) -> list[Any]:
    """One pair as texts: places in the list of names, sentence, lines, units."""
    every = [label(line.measure, line.settings) for line in one.lines]
    rows = [row_of(line, _heading(line, every, words)) for line in one.lines]
    texts = [[*row.texts, row.sure] for row in rows]
    return [words.names.index(one.a), words.names.index(one.b), one.says, texts, _units(one, words)]


def _heading(line: Line, every: Sequence[str], words: Words) -> str:
    name, _ = split_measure(label(line.measure, line.settings), every)
    scale = words.scales.get((line.measure, line.settings), "")
    return heading(name, "" if words.plain else line.criterion, line.better, scale)


def _units(one: Paired, words: Words) -> list[list[str]]:
    """Where the two differ most: each unit once, by the measure on which it stands out; those with a picture first."""
    found: dict[tuple[str, str], list[str]] = {}
    for row in sorted(one.units, key=_farness(one)):
        found.setdefault((str(row[0]), str(row[4])), _unit(row, words))
    return sorted(list(found.values())[: 2 * UNITS], key=lambda unit: not unit[-1])[:UNITS]


def _farness(one: Paired) -> Any:
    """Sorts units of all measures by how far apart the two are, each measure by its own spread."""
    most: dict[object, float] = {}
    for row in one.units:
        most[row[1:4]] = max(most.get(row[1:4], 0.0), abs(float(row[7])))
    return lambda row: -abs(float(row[7])) / (most[row[1:4]] or 1.0)


def _unit(row: tuple[Any, ...], words: Words) -> list[str]:
    dataset, measure, settings, criterion, unit, a, b, gap, ahead = row
    digits = digits_of(a, b, gap)
    picture = words.pictures.get((slug(str(dataset)), slug(str(unit))), "")
    numbers = (number(a, digits), number(b, digits), signed(gap, digits))
    name = " ".join([label(measure, settings), *([] if words.plain else [str(criterion)])])
    return [name, str(unit), *numbers, str(ahead), picture]


def _pictures(section: Section, link: Link) -> dict[tuple[str, str], str]:
    """The pictures of samples, by dataset and sample as file names."""
    files = [PurePosixPath(path) for path in section.figures]
    return {(file.parent.name, file.stem): link(str(file)) for file in files if file.parent.name != OVERVIEW}
