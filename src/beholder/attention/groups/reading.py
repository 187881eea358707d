"""Who looked where, and who belongs to which of two groups: from tables of fixations, or from a dataset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from beholder.attention.columns import FIXATIONS, milliseconds, numbers
from beholder.attention.types import Lookers, Scanpath, keep_inside, scanpath
from beholder.errors import Misuse, listed
from beholder.io import table
from beholder.io.columns import meanings, plain
from beholder.registry.load import dataset

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Wanted:
    """How tables are to be read, and which groups are to be compared."""

    group: str = "group"  # the column
    between: tuple[str, ...] = ()  # two of several groups
    size: tuple[int, int] | None = None  # width and height of the pictures in px
    px_per_deg: float = np.nan


@dataclass(frozen=True, eq=False)
class TwoGroups:
    """People of two groups on the stimuli that both groups saw."""

    seen: Mapping[str, Lookers]
    first: tuple[str, Sequence[str]]  # the name of a group, and who belongs to it
    second: tuple[str, Sequence[str]]
    notes: tuple[str, ...] = ()

    @property
    def observers(self) -> list[str]:
        """Everybody, those of the first group first."""
        return [*self.first[1], *self.second[1]]


def read_groups(given: Sequence[str], wanted: Wanted) -> TwoGroups:
    """The groups of one table with a column that names them, of two tables, or of a dataset that knows groups."""
    files = [Path(one) for one in given if Path(one).suffix.lower() in table.SUFFIXES]
    if len(files) == len(given) <= 2:
        return two_groups(*_from_tables(files, wanted), wanted)
    if len(given) != 1:
        raise Misuse(f"got {len(given)} arguments; expected a table with groups, two tables, or a dataset")
    found = dataset("attention.datasets", given[0])
    seen = {id: found.reference(id) for id in found.ids}
    if not all(isinstance(one, Lookers) for one in seen.values()):
        raise Misuse(f"got the dataset {found.name}; expected a dataset of people looking at pictures")
    groups = {who: group for one in seen.values() for who, group in one.groups.items()}
    told = (f"{found.name} holds SIMULATED observers, not people.",) if found.people == "simulated" else ()
    return two_groups(seen, groups, told, wanted)


def two_groups(
    seen: Mapping[str, Lookers], groups: Mapping[str, str], notes: Sequence[str], wanted: Wanted
) -> TwoGroups:
    """The two groups that are compared, on the stimuli that people of both saw."""
    names = wanted.between or tuple(sorted(set(groups.values())))
    if len(names) != 2 or not set(names) <= set(groups.values()):
        there = listed(sorted(set(groups.values()))) or "none"
        raise Misuse(f"got the groups {there}; expected two to compare; choose with --between A,B")
    members = [[who for who in sorted(groups) if groups[who] == name] for name in names]
    few = [name for name, those in zip(names, members, strict=True) if len(those) < 2]
    if few:
        raise Misuse(f"got fewer than two observers in the group {few[0]!r}; expected two or more in each")
    both = {id: one for id, one in seen.items() if all(set(those) & set(one.paths) for those in members)}
    if not both:
        raise Misuse(
            "got no stimulus that both groups saw; expected at least one, or the difference may lie in the "
            "stimuli instead of the people"
        )
    said = list(notes)
    if len(both) < len(seen):
        said.append(f"Left out: {len(seen) - len(both)} of {len(seen)} stimuli that one of the groups did not see.")
    missing = sum(who not in one.paths for one in both.values() for those in members for who in those)
    if missing:
        said.append(
            f"{missing} trials are missing because not everybody saw everything; each pair of people is "
            "compared on the stimuli that both saw."
        )
    return TwoGroups(both, (names[0], members[0]), (names[1], members[1]), tuple(said))


def _from_tables(files: Sequence[Path], wanted: Wanted) -> tuple[dict[str, Lookers], dict[str, str], tuple[str, ...]]:
    frames = [_rows(file, wanted.group, alone=len(files) == 1) for file in files]
    groups: dict[str, str] = {}
    for file, rows in zip(files, frames, strict=True):
        own = rows["group"] if len(files) == 1 else [file.stem] * len(rows)
        for who, group in zip(rows["observer"], own, strict=True):
            if groups.setdefault(str(who), str(group)) != str(group):
                raise Misuse(
                    f"got the observer {who} in the groups {groups[str(who)]} and {group}; expected different people "
                    "in each; this test is not made for the same people under two conditions"
                )
    notes: tuple[str, ...] = ()
    size = wanted.size
    if size is None:
        reach = [max(float(rows[axis].max()) for rows in frames) for axis in ("x", "y")]
        size = (int(reach[0]) + 1, int(reach[1]) + 1)
        notes = (
            f"Picture size is assumed to be {size[0]} x {size[1]} px, as far as fixations reach; set it with "
            "--size WxH.",
        )
    paths: dict[str, dict[str, Scanpath]] = {}
    dropped = 0
    for file, rows in zip(files, frames, strict=True):
        for (stimulus, who), trial in rows.groupby(["stimulus", "observer"], sort=True):
            path, off = keep_inside(_path(trial, f"{file}, {who} on {stimulus}"), size[::-1])
            paths.setdefault(str(stimulus), {})[str(who)] = path
            dropped += off
    if dropped:
        notes = (*notes, f"Left out: {dropped} fixations outside the pictures or without coordinates.")
    return {id: Lookers(own, size[::-1], wanted.px_per_deg) for id, own in paths.items()}, groups, notes


def _rows(file: Path, group: str, *, alone: bool) -> pd.DataFrame:
    """The rows of a table, its columns under our names."""
    if not file.is_file():
        raise Misuse(f"got {file}, which is not a file; expected a table of fixations")
    head = table.head(file)
    given = {"group": group} if alone and plain(group) in map(plain, head) else {}
    known = {word: names for word, names in FIXATIONS.items() if word != "group" or given}
    columns = meanings(head, known, given, of=str(file))
    needed = ("stimulus", "observer", "x", "y", *(("group",) if alone else ()))
    missing = [word for word in needed if word not in columns]
    if missing:
        said = "; name it with --group, or give two tables" if missing == ["group"] else ""
        raise Misuse(f"{file}: got the columns {', '.join(head)}; expected {missing[0]} among them{said}")
    rows = table.read(file, [columns[word] for word in ("stimulus", "observer", "group") if word in columns])
    wanted = [word for word in (*needed, "index", "duration") if word in columns]
    found = rows[[columns[word] for word in wanted]].set_axis(wanted, axis=1)
    for word in ("x", "y", "duration"):
        if word in found:
            found[word] = numbers(rows, columns[word], file)
    if "duration" in found:
        found["duration"] = milliseconds(found["duration"].to_numpy(np.float64), columns["duration"])
    if found[[name for name in needed if name not in ("x", "y")]].isna().any(axis=None):
        raise Misuse(
            f"{file}: got rows without {', '.join(n for n in needed if n not in 'xy')}; expected them in every row"
        )
    return found


def _path(trial: pd.DataFrame, where: str) -> Scanpath:
    if "index" in trial:
        if trial["index"].duplicated().any():
            raise Misuse(f"{where}: got a fixation number twice; expected each once; keep the first viewing")
        trial = trial.sort_values("index", kind="stable")
    if len(trial) == 1 and trial[["x", "y"]].isna().all(axis=None):
        trial = trial.iloc[:0]  # a trial without a fixation
    lasts = trial["duration"].to_numpy(np.float64) if "duration" in trial else None
    known = None if lasts is None else np.where(lasts > 0, lasts, np.nan)
    return scanpath(trial["x"].to_numpy(np.float64), trial["y"].to_numpy(np.float64), duration_ms=known)
