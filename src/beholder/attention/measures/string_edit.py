"""Scanpaths as strings of areas: how many edits turn one into the other."""

from __future__ import annotations

import math
from functools import partial
from typing import Literal, get_args

import numpy as np

from beholder.attention.measures._areas import Alphabet, Areas, Cut, Ints, alphabet, trim
from beholder.attention.paths.pairs import Over, Walk, over_people, read_scanpaths
from beholder.attention.types import Lookers, Scanpath
from beholder.core.measure import NotApplicable, Result, measure
from beholder.errors import Misuse
from beholder.stats.sequences import DAMERAU, HAMMING, LCS, LEVENSHTEIN, Costs, edit_distance, worst_cost

Kind = Literal["damerau", "levenshtein", "lcs", "hamming"]
KINDS: dict[str, Costs] = {"damerau": DAMERAU, "levenshtein": LEVENSHTEIN, "lcs": LCS, "hamming": HAMMING}


@measure(
    better="lower",
    bounds=(0, np.inf),
    cite="Zanca2020, Levenshtein1966, Damerau1964",
    reads=read_scanpaths,
    unit="edits",
)
def string_edit(
    found: Walk,
    lookers: Lookers,
    *,
    kind: Kind | Costs = "damerau",
    areas: Areas = 5,
    cut: Cut = "none",
    over: Over = "mean",
) -> Result:
    """String edit distance: how many edits turn the model's string of fixated areas into a person's.

    d = Σ costs of the cheapest edits. With "damerau" an insertion, a deletion, a substitution and an exchange of
    neighbours cost 1 each (as in Zanca et al.'s example; unrestricted). "levenshtein" has no exchange. "lcs" has
    neither exchange nor substitution: d = n + m − 2 LCS, with the part `common` = LCS. "hamming" has substitutions
    only, and is undefined for different lengths. A `Costs` sets the costs one by one, per pair of areas if need be.
    `areas` is n for n × n cells, (columns, rows), or a map of labels. `cut` shortens the scanpaths first: "shorter",
    "people" (the model's to the person's length), or to the first k fixations.

    The distance mostly compares lengths, which are therefore parts (`length`, `length_people`). `missed` is the number
    of areas that the person fixated and the model did not, `unfixated` the number that neither fixated. A model's empty
    scanpath costs as much as inserting the whole string; not applicable where nobody made a fixation.

    Deviation: the public program of the authors aliases cells at the border when n does not divide the sides; corrected
    here.

    >>> from beholder.attention.types import scanpath
    >>> person = Lookers({"a": scanpath([0, 1, 2], [0, 0, 0])}, (1, 3))  # A → B → C
    >>> string_edit(scanpath([0, 2, 1], [0, 0, 0]), person, areas=(3, 1)).value  # A → C → B: one exchange
    1.0
    """
    compare = partial(path_edit_distance, letters=alphabet(areas, lookers), costs=_costs(kind), cut=cut)
    return over_people(found, lookers, compare, over=over, better="lower")


@measure(better="higher", bounds=(0, 1), cite="LeMeur2013, Levenshtein1966, Damerau1964", reads=read_scanpaths)
def string_similarity(
    found: Walk,
    lookers: Lookers,
    *,
    kind: Kind | Costs = "damerau",
    areas: Areas = 5,
    cut: Cut = "none",
    over: Over = "mean",
) -> Result:
    """Normalised string edit similarity: 1 for equal strings of areas, 0 for strings that share nothing.

    s = 1 − d / d_max, with d as in `string_edit`. d_max is the cost for two strings of these lengths that share
    nothing: max(n, m) when every edit costs 1 (Le Meur & Baccino), n + m with "lcs" (so that s = 2 LCS/(n + m)).
    Undefined for two empty strings (no fixation on any given area), and for different lengths with "hamming".

    Deviation: Le Meur & Baccino call the 0.4 of ABCDE and ABAA a distance, and its 2 substitutions and 1 deletion
    substitutions; it is a similarity.

    >>> from beholder.attention.types import scanpath
    >>> person = Lookers({"a": scanpath([0, 1, 0, 0], [0, 0, 0, 0])}, (1, 5))  # ABAA
    >>> abcde = scanpath([0, 1, 2, 3, 4], [0, 0, 0, 0, 0])
    >>> round(string_similarity(abcde, person, areas=(5, 1)).value, 12)  # 1 − 3/5
    0.4
    """
    compare = partial(path_edit_similarity, letters=alphabet(areas, lookers), costs=_costs(kind), cut=cut)
    return over_people(found, lookers, compare, over=over)


def _costs(kind: Kind | Costs) -> Costs:
    if isinstance(kind, Costs):
        return kind
    if kind not in get_args(Kind):
        raise Misuse(f"got kind={kind!r}; expected {', '.join(map(repr, get_args(Kind)))}, or a Costs")
    return KINDS[kind]


def path_edit_distance(
    simulated: Scanpath, human: Scanpath, *, letters: Alphabet, costs: Costs, cut: Cut = "none"
) -> Result:
    """The edit distance of two scanpaths."""
    a, b = (letters.spell(path) for path in trim(simulated, human, cut))
    distance = edit_distance(a, b, costs=costs)
    if math.isinf(distance):
        raise NotApplicable(f"strings of {len(a)} and {len(b)} areas: without insertions their lengths must be equal")
    return Result(distance, _parts(a, b, distance, letters.size, costs))


def path_edit_similarity(
    simulated: Scanpath, human: Scanpath, *, letters: Alphabet, costs: Costs, cut: Cut = "none"
) -> Result:
    """The normalised similarity of two scanpaths."""
    found = path_edit_distance(simulated, human, letters=letters, costs=costs, cut=cut)
    worst = worst_cost(int(found.parts["length"]), int(found.parts["length_people"]), costs=costs)
    if not worst:
        raise NotApplicable("two empty strings: neither scanpath has a fixation in any area")
    return found._replace(value=max(0.0, 1 - found.value / worst))


def _parts(a: Ints, b: Ints, distance: float, size: int, costs: Costs) -> dict[str, float]:
    visited, wanted = np.zeros(size, np.bool_), np.zeros(size, np.bool_)
    visited[a] = True
    wanted[b] = True
    parts = {
        "length": float(len(a)),
        "length_people": float(len(b)),
        "missed": float((wanted & ~visited).sum()),
        "unfixated": float((~wanted & ~visited).sum()),
    }
    return parts | {"common": (len(a) + len(b) - distance) / 2} if costs is LCS else parts
