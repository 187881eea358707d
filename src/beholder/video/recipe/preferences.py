"""Which of two clips is better: comparisons, ratings, or the scores of a reward model, as one table of pairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from beholder.errors import Misuse, listed
from beholder.registry.find import nearest
from beholder.study.ratings import ratings_of

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SIDES = (  # what the two clips of a comparison are called; item and other are the words of `beholder study export`
    ("first", "second"),
    ("item", "other"),
    ("a", "b"),
    ("left", "right"),
    ("video_a", "video_b"),
    ("video1", "video2"),
    ("video_1", "video_2"),
)
WINNERS = (("winner", "loser"), ("chosen", "rejected"))
WON = "won"  # the column that is put beside winner and loser
CHOICES = ("value", "winner", "choice", "preferred", "preference", "answer", "label")
GROUPS = ("group", "prompt", "scene")
FIRST = ("first", "a", "left", "1", "1.0", "video_a", "video1", "video_1")
SECOND = ("second", "b", "right", "0", "0.0", "video_b", "video2", "video_2")
TIES = ("tie", "ties", "same", "equal", "draw", "both", "0.5")
OPPONENTS = 30  # clips that each one is compared with, of one rater or reward model
WANTED = "a table with the columns first, second and value (1: the first is better, 0.5: a tie, 0: the second)"


@dataclass(frozen=True, eq=False)
class Preferences:
    """Comparisons of clips: `value` is the share that the first wins, ½ a tie."""

    items: tuple[str, ...]
    groups: tuple[str, ...]  # of each item, such as its prompt; "" where there is none
    first: Ints  # places of items
    second: Ints
    value: Floats
    source: str = ""  # in words: what the comparisons are
    media: Mapping[str, Path] = field(default_factory=dict)  # where a table says that clips lie

    @property
    def grouped(self) -> bool:
        """Whether several clips share a prompt, and there are several prompts."""
        return 1 < len(set(self.groups)) < len(self.groups) and "" not in self.groups


def read(path: Path, *, dimension: str = "", within_groups: bool = False, seed: int = 0) -> Preferences:
    """The comparisons of a file (.csv, .tsv, .json …) or of the folder that `beholder study export` has written.

    A table with two clips a row holds comparisons: the columns first and second (or item and other, a and b, left and
    right), and value: 1, 0.5 or 0, a share between, or words: first, second, tie, or the name of the clip that is
    better. With winner and loser no value is needed. The prompt of both stands in group, or in first_group and
    second_group where they differ. A table with one clip a row (the columns item and value, as
    `study/opinions` reads it) holds ratings, or the scores of a reward model: clips that one rater rated are compared,
    equal values tie. `dimension` takes one of several dimensions, or of a wide table one of its columns.
    """
    if path.is_dir():
        return _exported(path, dimension, within_groups, seed)
    rows = _rows(path)
    names = [str(name) for name in rows]
    if dimension and "dimension" in names and _sides(names):
        rows = _of_dimension(rows, dimension, path)
    if sides := next((two for two in WINNERS if set(two) <= set(names)), None):
        return _compared(rows.assign(**{WON: "1"}), sides, WON, path)
    if sides := _sides(names):
        choice = next((name for name in CHOICES if name in names), None)
        if choice is None:
            raise Misuse(f"{path}: got no column that says which clip is better; expected {WANTED}")
        return _compared(rows, sides, choice, path)
    from beholder.study.datasets.ratings import ratings

    return from_ratings(ratings(path, dimension=dimension), within_groups=within_groups, seed=seed)


def _rows(path: Path) -> pd.DataFrame:
    """The rows of a table as texts, its columns in small letters."""
    from beholder.io import table

    if not path.is_file():
        raise Misuse(f"got {path}, which is not a file; expected {WANTED}")
    if path.suffix.lower() not in table.SUFFIXES:
        raise Misuse(f"{path}: got the suffix {path.suffix!r}; expected {', '.join(table.SUFFIXES)}")
    try:
        rows = table.read(path, None)
    except ValueError as fault:
        raise Misuse(str(fault)) from fault
    if rows.empty:
        raise Misuse(f"{path}: got no rows; expected {WANTED}")
    return rows.rename(columns={name: str(name).strip().lower() for name in rows})


def _texts(cells: pd.Series[Any]) -> list[str]:
    return ["" if none else str(cell).strip() for cell, none in zip(cells, cells.isna(), strict=True)]


def _sides(names: Sequence[str]) -> tuple[str, str] | None:
    return next((two for two in SIDES if set(two) <= set(names)), None)


def _of_dimension(rows: pd.DataFrame, dimension: str, path: Path) -> pd.DataFrame:
    there = [str(name) for name in rows["dimension"].unique()]
    if dimension not in there:
        raise Misuse(f"{path}: no dimension called {dimension!r}{nearest(dimension, there)}")
    return rows[rows["dimension"] == dimension]


def _exported(path: Path, dimension: str, within_groups: bool, seed: int) -> Preferences:
    """What people answered in a study: their choices between two clips, or pairs of their ratings."""
    from beholder.study.analysis.answers import read as read_export
    from beholder.study.analysis.trials import pairs
    from beholder.study.datasets.answers import answers

    export = read_export(path)
    if export.study.trial != "two_alternative":
        return from_ratings(answers(path), dimension=dimension, within_groups=within_groups, seed=seed)
    rows = pairs(export.kept())
    rows = rows[rows["use"] == "trial"]
    if dimension:
        rows = _of_dimension(rows, dimension, path)
    plain = rows.assign(first=rows["first_item"], second=rows["second_item"], value=rows["ahead"].astype(float))
    return _compared(plain[["first", "second", "value", "group"]], ("first", "second"), "value", path)


def _compared(rows: pd.DataFrame, sides: tuple[str, str], choice: str, path: Path) -> Preferences:
    """A table of comparisons, each row checked."""
    one, other = _texts(rows[sides[0]]), _texts(rows[sides[1]])
    said = _texts(rows[choice])
    if lacking := [at for at, both in enumerate(zip(one, other, strict=True), 2) if "" in both]:
        raise Misuse(f"{path}, line {lacking[0]}: got no name of a clip; expected two, in {sides[0]} and {sides[1]}")
    if alone := [at for at, (a, b) in enumerate(zip(one, other, strict=True), 2) if a == b]:
        raise Misuse(f"{path}, line {alone[0]}: got {one[alone[0] - 2]!r} compared with itself; expected two clips")
    rest = zip(said, one, other, strict=True)
    shares = [_share(text, a, b, f"{path}, line {at}") for at, (text, a, b) in enumerate(rest, 2)]
    items = tuple(dict.fromkeys([*one, *other]))
    place = {name: at for at, name in enumerate(items)}
    first, second = (np.array([place[name] for name in side], np.int64) for side in (one, other))
    groups = _groups(rows, sides, (one, other), items, path)
    found = Preferences(items, groups, first, second, np.array(shares), "of two clips each")
    refuse_one_sided(found, winners=choice == WON)
    return found


def _share(text: str, first: str, second: str, where: str) -> float:
    """What an answer says of the first: 1, ½, 0, or a share."""
    word = text.lower()
    if text in (first, second):
        return float(text == first)
    for words, value in ((FIRST, 1.0), (SECOND, 0.0), (TIES, 0.5)):
        if word in words:
            return value
    try:
        number = float(text)
    except ValueError:
        number = np.nan
    if not 0 <= number <= 1:
        raise Misuse(
            f"{where}: got the answer {text!r}; expected 1 (the first is better), 0.5 (a tie), 0, or first, second, "
            "tie, or the name of one of the two clips"
        )
    return number


def _groups(
    rows: pd.DataFrame, sides: tuple[str, str], clips: tuple[list[str], list[str]], items: Sequence[str], path: Path
) -> tuple[str, ...]:
    """The group of each item, as the rows say that it stands in; one that stands in several groups has a fault."""
    found: dict[str, str] = {}
    for own, side in zip(clips, sides, strict=True):
        name = next((name for word in GROUPS for name in (f"{side}_{word}", word) if name in rows), None)
        if name is None:
            return ("",) * len(items)
        for item, said in zip(own, _texts(rows[name]), strict=True):
            if found.setdefault(item, said) != said:
                raise Misuse(
                    f"{path}: got the clip {item!r} in the groups {found[item]!r} and {said!r}; expected one for each "
                    f"clip; where clips of different prompts are compared, write {sides[0]}_group and {sides[1]}_group"
                )
    return tuple(found[item] for item in items)


def refuse_one_sided(found: Preferences, *, winners: bool = False) -> None:
    """Refuse comparisons from which no order follows."""
    if (found.value == 0.5).all():
        raise Misuse(f"got {len(found.value)} comparisons that are all ties; expected some in which one clip is better")
    for side, word in (((found.value > 0.5), "first"), ((found.value < 0.5), "second")):
        if not winners and side.all() and len(side) > 5:
            raise Misuse(
                f"got {len(side)} comparisons in all of which the {word} clip is better, which says more of the order "
                "on the screen than of clips; expected both answers; if the better one is always written first, call "
                "the columns winner and loser"
            )


def from_ratings(
    dataset: Any, *, dimension: str = "", within_groups: bool = False, seed: int = 0, opponents: int = OPPONENTS
) -> Preferences:
    """Comparisons from ratings: of one rater the clip with the higher value is better, equal values tie.

    Each clip is compared with at most `opponents` others of the same rater, chosen at random. With `within_groups` only
    clips of one prompt are compared.
    """
    held = ratings_of(dataset)
    table = held.table
    if dimension:
        table = _of_dimension(table, dimension, Path(dataset.name))
    elif len(held.dimensions) > 1:
        raise Misuse(f"got ratings of {listed(held.dimensions)}; expected one of them: give --dimension NAME")
    items = tuple(table["item"].unique())
    of = table.drop_duplicates("item").set_index("item")["group"].to_dict()
    place = {name: at for at, name in enumerate(items)}
    by = [table["rater"], table["group"]] if within_groups else [table["rater"]]
    rng = np.random.default_rng(seed)
    one, other, value = [], [], []
    for _, own in table.groupby(by, sort=False):
        at = np.array([place[name] for name in own["item"]], np.int64)
        pairs = some_pairs(len(own), opponents, rng)
        one.append(at[pairs[:, 0]])
        other.append(at[pairs[:, 1]])
        value.append(better(own["value"].to_numpy(float), pairs))
    found = Preferences(
        items, tuple(of[item] for item in items), np.concatenate(one), np.concatenate(other), np.concatenate(value),
        f"pairs of ratings of {table['rater'].nunique()} raters", dict(held.media),
    )  # fmt: skip
    if len(found.value) == 0 or (found.value == 0.5).all():
        raise Misuse("got ratings that are all alike; expected some clips to be better than others")
    return found


def from_scores(
    scores: Mapping[str, float], groups: Mapping[str, str] | None = None, *, seed: int = 0, opponents: int = OPPONENTS
) -> Preferences:
    """Comparisons by a reward model: of two clips the one with the higher score is better, equal scores tie.

    Clips without a finite score are left out.

    >>> found = from_scores({"a": 0.1, "b": 0.7, "c": float("nan")})
    >>> found.items, sorted(zip(found.first.tolist(), found.second.tolist(), found.value.tolist()))
    (('a', 'b'), [(0, 1, 0.0)])
    """
    items = tuple(name for name, score in scores.items() if np.isfinite(score))
    numbers = np.array([scores[name] for name in items], float)
    if len(np.unique(numbers)) < 2:
        raise Misuse(f"got {len(items)} scores that are all alike; expected some clips to be better than others")
    pairs = some_pairs(len(items), opponents, np.random.default_rng(seed))
    of = tuple((groups or {}).get(name, "") for name in items)
    return Preferences(items, of, pairs[:, 0], pairs[:, 1], better(numbers, pairs), "pairs of a reward model's scores")


def from_reward(reward: Callable[[Any], float], clips: Mapping[str, Any], **how: Any) -> Preferences:
    """Comparisons by anything that gives a clip a number, such as a reward model or one of our measures."""
    return from_scores({name: float(reward(clip)) for name, clip in clips.items()}, **how)


def better(values: Floats, pairs: Ints) -> Floats:
    """1 where the first of a pair has more, ½ where both have the same, else 0."""
    return np.asarray((np.sign(values[pairs[:, 0]] - values[pairs[:, 1]]) + 1) / 2)


def some_pairs(n: int, opponents: int, rng: np.random.Generator) -> Ints:
    """Pairs (k, 2) of n things, each in at most `opponents`: all of them, or those of circles drawn at random.

    >>> pairs = some_pairs(100, 4, np.random.default_rng(0))
    >>> len(some_pairs(5, 30, np.random.default_rng(0))), int(np.bincount(pairs.ravel()).max())
    (10, 4)
    """
    if n <= opponents + 1:
        return np.stack(np.triu_indices(n, 1), axis=1).astype(np.int64)
    found = set()
    for _ in range(opponents // 2):  # in a circle everybody meets two others, and all are linked
        order = rng.permutation(n)
        found |= {(min(a, b), max(a, b)) for a, b in zip(order.tolist(), np.roll(order, 1).tolist(), strict=True)}
    return np.array(sorted(found), np.int64)
