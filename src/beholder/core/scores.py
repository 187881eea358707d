"""The score table: one row for one number."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import StringIO, TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TextIO

from beholder.core.measure import STATES, label
from beholder.core.sample import STATUSES
from beholder.errors import Misuse, printable
from beholder.io.atomic import whole_file

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

# The user's models and ours are judged; blind models, oracles and people are drawn beside them.
Role = Literal["model", "baseline", "blind", "oracle", "ceiling", "person"]
ROLES: tuple[Role, ...] = ("model", "baseline", "oracle", "ceiling", "person", "blind")
JUDGED: tuple[Role, ...] = ("model", "baseline")


class Score(NamedTuple):
    """One row. `unit` is a sample id, a tag's value, or `*`; `repeat` counts draws of a stochastic model."""

    benchmark: str
    version: int
    model: str
    role: str
    dataset: str
    unit: str
    repeat: int
    measure: str
    settings: str  # of the measure, "key=value,…", where it has variants
    part: str  # of the measure, which judges leave alone; nothing for the number itself
    criterion: str
    better: str  # higher, lower, or for a part that only describes: neither
    value: float
    lo: float
    hi: float
    n: int
    state: str
    reason: str
    provenance: str


COLUMNS = Score._fields
LOST = ["failed", "partial"]  # states of a score that cannot be compared, and counts against its model
CELL = ["measure", "settings", "criterion"]  # what is averaged over units
COMPONENT = [*CELL, "dataset", "unit"]  # one component of a model's error vector
WORDS = {"role": ROLES, "better": ("higher", "lower", "neither"), "state": STATES, "provenance": STATUSES}
NUMBERS = {"version": "int64", "repeat": "int64", "n": "int64", "value": "float64", "lo": "float64", "hi": "float64"}
TEXTS = [name for name in COLUMNS if name not in NUMBERS]
LARGE = 500_000  # rows; with more of them texts stay categories, and a row costs 60 bytes instead of 150
SOME = 20_000  # rows that are read, made or written at once
FORMULA = re.compile(r"[=@']|[+-](?!\d+(\.\d+)?$)")  # what begins so, a spreadsheet would execute; -1 is a number


def table(rows: Iterable[Score]) -> pd.DataFrame:
    """Rows as a data frame with the frozen columns; ids, names and reasons are anybody's texts, and made printable.

    Rows are taken a few at a time. In a large table texts are categories.
    """
    known, left = _Known(printable), iter(rows)
    return _joined(
        (_columns(zip(*some, strict=True), known) for some in iter(lambda: list(islice(left, SOME)), [])), known
    )


def labels(scores: pd.DataFrame) -> pd.Series[str]:
    """What the measure of each row is called in sentences: name(settings), and for a part name(settings).part."""
    import numpy as np

    kinds, which = numbered(scores, ["measure", "settings", "part"])
    found = np.array([label(*key) for key in kinds], object)[which]
    return scores["measure"].__class__(found, index=scores.index, dtype="object", name="label")


def numbered(rows: pd.DataFrame, columns: list[str]) -> tuple[list[tuple[Any, ...]], NDArray[np.int32]]:
    """The different values that some columns have together, as they appear, and which of them each row has.

    Rows are taken some at a time: pandas numbers them with 8 bytes for each row and column, and as many again.

    >>> import pandas as pd
    >>> numbered(pd.DataFrame({"x": ["b", "a", "b"], "y": [1, 1, 1]}), ["x", "y"])
    ([('b', 1), ('a', 1)], array([0, 1, 0], dtype=int32))
    """
    import numpy as np

    places: dict[tuple[Any, ...], int] = {}
    found = np.empty(len(rows), np.int32)
    for at in range(0, len(rows), LARGE):
        some = rows[columns].iloc[at : at + LARGE]
        keys = some.drop_duplicates().itertuples(index=False, name=None)
        mine = np.array([places.setdefault(key, len(places)) for key in keys], np.int32)
        found[at : at + LARGE] = mine[some.groupby(columns, sort=False).ngroup().to_numpy()]
    return list(places), found


def plain(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows with their texts as texts: a few rows, or a table for somebody who may write into it."""
    return rows.astype({name: "object" for name in TEXTS if name in rows})


class Bounds(dict[str, tuple[float, float]]):
    """From where to where measures go; never copied, though pandas copies `attrs` with every derived table."""

    def __deepcopy__(self, memo: Any) -> Bounds:
        return self


def with_bounds(scores: pd.DataFrame, bounds: Mapping[str, Sequence[float]]) -> pd.DataFrame:
    """The table, knowing from where to where its measures go (by their labels), so that intervals end there."""
    known = scores.copy(deep=False)
    known.attrs["bounds"] = Bounds({name: (float(least), float(most)) for name, (least, most) in bounds.items()})
    return known


def bounds_of(scores: pd.DataFrame, measures: Iterable[str]) -> tuple[float, float]:
    """From where to where some measures go, all in all, as far as the table knows.

    >>> import pandas as pd
    >>> rows = with_bounds(pd.DataFrame({"value": [1.0]}), {"auc": (0, 1), "kl": (0, float("inf"))})
    >>> bounds_of(rows, ["auc"]), bounds_of(rows, ["auc", "kl"]), bounds_of(rows, ["nss"])
    ((0.0, 1.0), (0.0, inf), (-inf, inf))
    """
    known = scores.attrs.get("bounds", {})
    ends = [known.get(name, (-float("inf"), float("inf"))) for name in measures]
    return min(least for least, _ in ends), max(most for _, most in ends)


def whole(scores: pd.DataFrame) -> pd.DataFrame:
    """The rows that are no parts."""
    return scores[scores["part"] == ""]


def write(scores: pd.DataFrame, path: Path) -> None:
    """The table as a CSV file; equal tables are equal bytes."""
    with whole_file(path) as file:
        text = TextIOWrapper(file, "utf-8", "backslashreplace", newline="")
        dump(scores, text)
        text.detach()  # writes what is left; the file is not closed by it


def dump(scores: pd.DataFrame, file: TextIO) -> None:
    """The table as CSV text; numbers as their shortest exact text, and no text that a spreadsheet would execute."""
    file.write(",".join(COLUMNS) + "\n")
    known = _Once(_field)
    for at in range(0, len(scores), SOME):
        block = scores.iloc[at : at + SOME]
        texts = [map(known.__getitem__ if name in TEXTS else repr, block[name].tolist()) for name in COLUMNS]
        file.write("\n".join([*map(",".join, zip(*texts, strict=True)), ""]))


def _field(text: str) -> str:
    """A text as a field of a CSV file: escaped, and in quotes where it needs them."""
    line = StringIO()
    csv.writer(line, lineterminator="\n").writerow((escape(text), ""))  # alone, nothing at all would be quoted
    return line.getvalue()[:-2]


def escape(text: str) -> str:
    """A text as it stands in CSV: after an apostrophe where a spreadsheet would take it for a formula.

    >>> [escape(text) for text in ("=1+1", "-1", "-1+1", "'tis", "teddy")]
    ["'=1+1", '-1', "'-1+1", "''tis", 'teddy']
    """
    shown = printable(text)
    return f"'{shown}" if FORMULA.match(shown) else shown


def unescape(text: str) -> str:
    """The text behind one of CSV.

    >>> [unescape(text) for text in ("'=1+1", "-1", "''tis")]
    ['=1+1', '-1', "'tis"]
    """
    return printable(text.removeprefix("'"))


class _Once(dict[Any, str]):
    """Texts by what they were before; each is changed, and held, once."""

    def __init__(self, change: Callable[[str], str]) -> None:
        self._change = change

    def __missing__(self, text: Any) -> str:
        self[text] = self._change(str(text))
        return self[text]


class _Known:
    """The different texts of each column, numbered as they come; each is changed once."""

    def __init__(self, change: Callable[[str], str]) -> None:
        self._shown = _Once(change)
        self._numbers: dict[str, dict[str, int]] = {name: {} for name in TEXTS}

    def number(self, column: str, text: Any) -> int:
        """The number of a text in a column."""
        numbers = self._numbers[column]
        return numbers.setdefault(self._shown[text], len(numbers))

    def category(self, column: str, numbers: Any) -> Any:
        """A column of texts from their numbers; its categories are in the order of the alphabet."""
        import numpy as np
        import pandas as pd

        texts = self._numbers[column]
        ordered = sorted(texts)
        place = np.empty(len(texts), np.int32)
        place[[texts[text] for text in ordered]] = np.arange(len(texts))
        return pd.Categorical.from_codes(place[numbers], pd.Index(ordered, dtype="object"))


def _columns(columns: Iterable[Sequence[Any]], known: _Known) -> dict[str, Any]:
    """Some rows by column, in the order of `COLUMNS`: numbers as numbers, texts as theirs."""
    import numpy as np

    return {
        name: np.array(own, NUMBERS[name]) if name in NUMBERS else _small([known.number(name, one) for one in own])
        for name, own in zip(COLUMNS, columns, strict=True)
    }


def _small(numbers: Sequence[int]) -> Any:
    """Numbers of texts in as few bytes as they need."""
    import numpy as np

    return np.array(numbers, np.min_scalar_type(max(numbers, default=0)))


def _joined(pieces: Iterable[dict[str, Any]], known: _Known) -> pd.DataFrame:
    """One table of the pieces, a column at a time, so that only one column is ever held twice."""
    import numpy as np
    import pandas as pd

    held = list(pieces)
    whole = {}
    for name in COLUMNS:
        kind = NUMBERS.get(name, "uint8")
        values = np.concatenate([np.empty(0, kind), *(piece.pop(name) for piece in held)])
        whole[name] = pd.Series(values if name in NUMBERS else known.category(name, values), copy=False)
    made = pd.DataFrame(whole, copy=False)
    return made if len(made) > LARGE else plain(made)


def join_tables(tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """The rows of several tables as one; where these are many, texts are categories, as in `table`."""
    import pandas as pd

    if sum(map(len, tables)) <= LARGE:
        return pd.concat(map(plain, tables), ignore_index=True)
    kinds = {}
    for name in TEXTS:
        texts: set[str] = set().union(*(own[name].unique() for own in tables))
        kinds[name] = pd.CategoricalDtype(pd.Index(sorted(texts), dtype="object"))
    return pd.concat([own.astype(kinds) for own in tables], ignore_index=True)


def read(path: Path) -> pd.DataFrame:
    """A table from its CSV."""
    if not path.is_file():
        raise Misuse(f"got {path}, which does not exist; expected the scores.csv of a run")
    try:
        known = _Known(unescape)
        return _joined(_checked(path, known), known)
    except Misuse:
        raise
    except (ValueError, UnicodeDecodeError) as fault:  # pandas' own faults are ValueErrors
        raise Misuse(f"{path} is not a table ({fault}); expected the scores.csv of a run") from None


def _checked(path: Path, known: _Known) -> Iterator[dict[str, Any]]:
    """The columns of some rows of a CSV at a time; words that no score has are refused."""
    import pandas as pd

    with pd.read_csv(path, dtype=str, keep_default_na=False, chunksize=SOME) as pieces:
        for some in pieces:
            if not isinstance(some.index, pd.RangeIndex):
                raise ValueError("rows have more cells than there are columns")
            refuse_missing(list(some.columns), str(path))
            for column, words in WORDS.items():
                unknown = some[~some[column].isin(words)]
                if len(unknown):
                    got, line = unknown.iloc[0][column], unknown.index[0] + 1
                    expected = ", ".join(filter(None, words))
                    raise Misuse(f"{path}, row {line}: got {column} {got!r}; expected one of {expected}")
            yield {name: _column(some[name], name, known) for name in COLUMNS}


def _column(cells: pd.Series[str], name: str, known: _Known) -> Any:
    """One column of a CSV as an array of numbers, its own or those of its texts."""
    import pandas as pd

    if name in NUMBERS:
        return cells.to_numpy(object).astype(NUMBERS[name])
    at, different = pd.factorize(cells)
    return _small([known.number(name, text) for text in different])[at]


def refuse_missing(columns: Sequence[str], where: str) -> None:
    """Refuse a table that lacks a column."""
    missing = [name for name in COLUMNS if name not in columns]
    if missing:
        raise Misuse(f"{where} has no column {missing[0]!r}; expected the columns {', '.join(COLUMNS)}")
