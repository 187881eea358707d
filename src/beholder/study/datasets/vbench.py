"""VBench's human preferences: which of two generators' videos of a prompt is better, in one dimension."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from beholder.core.cite import source
from beholder.core.sample import Dataset, remark
from beholder.errors import Misuse
from beholder.study.datasets import _files
from beholder.study.datasets.ratings import read_measures
from beholder.study.ratings import Item, Opinion, Ratings, clean

if TYPE_CHECKING:
    import pandas as pd

SHARES = (0.0, 0.5, 1.0)  # of a comparison that the first wins
ABOUT = (
    "Pairs of videos that two generators made from the same prompt. A video's value is the share of its comparisons "
    "that it won, with ties as halves. Prompts are numbered from 0 in the order of the files."
)
Entry = Mapping[str, Any]


@source("Huang2024")
def vbench(path: Path, *, measures: str = "") -> Dataset[Item, Opinion]:
    """VBench's human preferences, one JSON list per dimension: a file, or a folder of them.

    An entry is {prompt_en, videos: {model: place}, human_anno: {A: {B: 1 | 0.5 | 0}}}; 1 says that A is better than B.
    An item is model/NUMBER of the entry's videos; its group is the number. Its value in the dimension (the file's name)
    is the share of its comparisons within the entry that it won: (wins + ties / 2) / comparisons. This keeps the order
    within a prompt, but not who was compared with whom, nor who judged: all values have one rater, `people`.
    `comparisons` has the pairs themselves, `win_ratios` VBench's own statistic of a model, and `decided_by` the same
    pairs as a measure would decide them; VBench reports the Spearman correlation of the two. `measures` is a file with
    the columns item and numbers.
    """
    pairs, remarks = _read(path)
    sides = _sides(pairs)
    shares = sides.groupby(["item", "system", "group", "dimension"], sort=False)["value"].mean().reset_index()
    columns, said = read_measures(measures, list(shares["item"].unique()), path.parent) if measures else (None, ())
    made = clean(shares, columns, media=_media(path))
    return Ratings(made.table, made.columns, {}, made.media, (*made.remarks, *remarks, *said)).dataset(
        "vbench", cite="Huang2024", licence="VBench's: Apache-2.0 for its code, none stated for the labels", about=ABOUT
    )


def comparisons(path: Path) -> pd.DataFrame:
    """Every comparison once: dimension, group, first, second (systems), value (1: the first is better; 0.5: a tie)."""
    return _read(path)[0]


def win_ratios(pairs: pd.DataFrame) -> pd.DataFrame:
    """VBench's statistic: wins plus half the ties over comparisons, of each system (rows) in each dimension (columns).

    >>> import pandas as pd
    >>> pairs = [("motion", "0", "a", "b", 1.0), ("motion", "0", "a", "c", 0.5), ("motion", "0", "b", "c", 0.0)]
    >>> win_ratios(pd.DataFrame(pairs, columns=["dimension", "group", "first", "second", "value"]))["motion"].to_dict()
    {'a': 0.75, 'b': 0.0, 'c': 0.75}
    """
    return _sides(pairs).pivot_table(index="system", columns="dimension", values="value", aggfunc="mean")


def decided_by(pairs: pd.DataFrame, scores: Mapping[str, float]) -> pd.DataFrame:
    """The same pairs as a measure decides them: the item (model/NUMBER) with more wins, and equals tie."""
    import numpy as np

    one, other = (
        (pairs[side] + "/" + pairs["group"]).map(scores).to_numpy(dtype=float) for side in ("first", "second")
    )
    value = np.where(np.isnan(one) | np.isnan(other), np.nan, (np.sign(one - other) + 1) / 2)
    return pairs.assign(value=value).dropna(subset=["value"])


def _sides(pairs: pd.DataFrame) -> pd.DataFrame:
    """Each comparison as its two sides saw it."""
    import pandas as pd

    one = pairs.assign(system=pairs["first"])
    other = pairs.assign(system=pairs["second"], value=1 - pairs["value"])
    both = pd.concat([one, other], ignore_index=True)
    return both.assign(item=both["system"] + "/" + both["group"])


def _read(path: Path) -> tuple[pd.DataFrame, tuple[str, ...]]:
    import pandas as pd

    rows: list[tuple[str, str, str, str, float]] = []
    unsaid: list[str] = []
    torn: list[str] = []
    for dimension, group, entry in _numbered(path):
        said = _annotations(entry, dimension)
        for first, second in said:
            where = f"{dimension} {group}: {first} and {second}"
            one, back = said[first, second], said.get((second, first))
            if one is None:
                unsaid.append(where)
            elif back is None:
                rows.append((dimension, group, first, second, one))
            elif one + back != 1:
                torn += [where] if first < second else []
            elif first < second:
                rows.append((dimension, group, first, second, one))
    if not rows:
        raise Misuse(f"{path}: got no comparison; expected entries with human_anno: {{A: {{B: 0, 0.5 or 1}}}}")
    return pd.DataFrame(rows, columns=["dimension", "group", "first", "second", "value"]), (
        *remark(unsaid, "comparison", "without an answer, so left out"),
        *remark(torn, "comparison", "answered differently in its two directions, so left out"),
    )


def _numbered(path: Path) -> Iterator[tuple[str, str, Entry]]:
    """Every entry with its dimension and the number of its videos: the same videos have the same number everywhere."""
    numbers: dict[str, int] = {}
    for file in _labels(path):
        seen: dict[str, int] = {}
        found = _files.read_json(file)
        for entry in found if isinstance(found, list) else [found]:
            if not isinstance(entry, dict) or not isinstance(entry.get("human_anno"), dict):
                raise Misuse(f"{file}: got an entry without human_anno; expected VBench's {{prompt_en, human_anno}}")
            prompt = str(entry.get("prompt_en", ""))
            seen[prompt] = seen.get(prompt, -1) + 1
            key = json.dumps([prompt, entry.get("videos") or seen[prompt]], sort_keys=True)
            yield file.stem, f"{numbers.setdefault(key, len(numbers)):04d}", entry


def _labels(path: Path) -> list[Path]:
    return _files.found(path, "*.json", "VBench's labels, one file per dimension") if path.is_dir() else [path]


def _annotations(entry: Entry, where: str) -> dict[tuple[str, str], float | None]:
    """What is said of ordered pairs of models, None where it is empty."""
    found: dict[tuple[str, str], float | None] = {}
    for first, others in entry["human_anno"].items():
        for second, value in others.items() if isinstance(others, dict) else ():
            if value is not None and (isinstance(value, str) or value not in SHARES):
                raise Misuse(f"{where}: got {value!r} for {first} against {second}; expected 0, 0.5 or 1")
            if first != second:
                found[str(first), str(second)] = None if value is None else float(value)
    return found


def _media(path: Path) -> dict[str, Path]:
    """The videos that are there, by item."""
    root = path if path.is_dir() else path.parent
    places = {
        f"{model}/{group}": root / str(place)
        for _, group, entry in _numbered(path)
        for model, place in (entry.get("videos") or {}).items()
    }
    return {id: place for id, place in places.items() if place.is_file()}
