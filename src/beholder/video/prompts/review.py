"""Stage c: a sheet for people to review, their verdicts read back, and the set that is left."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from beholder.core.scores import escape, unescape
from beholder.errors import Misuse, listed, printable
from beholder.io.atomic import write_whole
from beholder.io.bounds import FLOOR, check_file
from beholder.video.prompts.checks import fault, words
from beholder.video.prompts.entry import Entry
from beholder.video.prompts.tagger import tag

COLUMNS = ("index", "prompt", "verdict", "edited", "comment", "pattern", "interaction", "kind", "subject", "place")
VERDICTS = {"keep": "keep", "k": "keep", "yes": "keep", "y": "keep", "drop": "drop", "d": "drop", "no": "drop",
            "n": "drop", "edit": "edit", "e": "edit"}  # fmt: skip
ANSWERS = {"1": "keep", "0": "drop"}  # of the study
UNMARKED = ("refuse", "keep", "drop")
FORMULA = ("=", "+", "-", "@")  # with which a cell begins that a spreadsheet executes


def sheet(entries: Sequence[Entry]) -> str:
    """A CSV that spreadsheets open without executing anything: verdict, edited and comment are to be filled in."""
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(COLUMNS)
    for entry in entries:
        said = {name: getattr(entry, name, "") for name in COLUMNS} | {"prompt": _line(entry.prompt)}
        out.writerow([escape(str(said[name])) for name in COLUMNS])
    return "\ufeff" + text.getvalue()  # the mark by which spreadsheets know UTF-8


def _line(text: str) -> str:
    return " ".join(text.split())


def write_sheet(entries: Sequence[Entry], path: Path, *, fresh: bool = False) -> None:
    """Write the sheet to review; a file that is there, which may hold verdicts, is refused unless `fresh`."""
    if path.exists() and not fresh:
        raise Misuse(
            f"got --out {path}, which exists already and may hold verdicts; expected another name, or --fresh to "
            "write an empty sheet in its place"
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, sheet(entries))


@dataclass(frozen=True)
class Verdict:
    """What one reviewer says of one prompt."""

    said: str  # keep, drop or edit; nothing: not marked
    edited: str = ""


def read_sheet(path: Path, entries: Sequence[Entry]) -> dict[str, Verdict]:
    """The verdicts of a sheet by index; a sheet whose prompts are not those of the set is refused."""
    rows = _rows(path)
    prompts = {entry.index: entry.prompt for entry in entries}
    found: dict[str, Verdict] = {}
    for at, row in enumerate(rows, 2):
        index = _index(unescape(row.get("index", "").strip()), prompts)
        if index is None:
            raise Misuse(f"{path}, line {at}: got the index {row.get('index')!r}; expected one of these prompts")
        if index in found:
            raise Misuse(f"{path}, line {at}: got the index {index} twice; expected each once")
        if unescape(_line(row.get("prompt", ""))) != printable(_line(prompts[index])):
            raise Misuse(
                f"{path}, line {at}: got another prompt for {index} than the set has; expected the sheet of this set "
                "(changes belong into the column edited)"
            )
        found[index] = _verdict(path, at, row)
    return found


def _index(said: str, prompts: Mapping[str, str]) -> str | None:
    """An index as the set has it: spreadsheets make 7 of 0007."""
    if said in prompts:
        return said
    return next((index for index in prompts if said and index.lstrip("0") == said.lstrip("0")), None)


def _verdict(path: Path, at: int, row: Mapping[str, str]) -> Verdict:
    word = unescape(row.get("verdict", "")).strip().lower()
    edited = _edited(path, at, unescape(row.get("edited", "")))
    if not word:
        return Verdict("edit" if edited else "", edited)
    if word not in VERDICTS:
        raise Misuse(f"{path}, line {at}: got the verdict {word!r}; expected keep, drop or edit")
    said = VERDICTS[word]
    if said == "edit" and not edited:
        raise Misuse(
            f"{path}, line {at}: got the verdict edit and nothing in the column edited; expected the new prompt"
        )
    return Verdict("edit" if edited and said == "keep" else said, edited)


def _edited(path: Path, at: int, cell: str) -> str:
    """The new text of a prompt; what a spreadsheet would execute is refused."""
    text = _line(cell)
    if text[:1] in FORMULA:
        raise Misuse(f"{path}, line {at}: got {text[:40]!r} as the new prompt, a formula; expected a plain sentence")
    return text


def _rows(path: Path) -> list[dict[str, str]]:
    """The rows of a sheet; spreadsheets of some countries save it with semicolons or tabs."""
    try:
        check_file(path, FLOOR)
        text = path.read_text("utf-8-sig")
    except FileNotFoundError:
        raise Misuse(f"got {path}, which is not a file; expected a sheet that was filled in") from None
    except (ValueError, OSError) as broken:
        raise Misuse(f"{path} cannot be read: {broken}; expected a sheet saved as CSV in UTF-8") from None
    head = text.partition("\n")[0]
    mark = max(",;\t", key=head.count)
    rows = list(csv.DictReader(io.StringIO(text, newline=""), delimiter=mark, restval=""))
    names = set(rows[0]) if rows else set(head.split(mark))
    lacking = {"index", "prompt", "verdict"} - names
    if lacking:
        raise Misuse(f"{path}: got no column {listed(sorted(lacking))}; expected the columns {listed(COLUMNS)}")
    return [{str(key): value or "" for key, value in row.items() if key is not None} for row in rows]


@dataclass(frozen=True)
class Reviewed:
    """What is left after reviews."""

    kept: Sequence[Entry]
    counts: Mapping[str, int]  # keep, drop, edit, unmarked
    notes: Sequence[str]  # what the checks find wrong with edits

    def text(self) -> str:
        """The counts, in a line."""
        return ", ".join(f"{count:,} {name}" for name, count in self.counts.items())


def reviewed(
    entries: Sequence[Entry], sheets: Sequence[Mapping[str, Verdict]], *, unmarked: str = "refuse"
) -> Reviewed:
    """The entries that reviewers keep: those that more of them keep or edit than drop.

    Of several edits the first sheet's counts. What nobody has marked is refused, kept or dropped, as `unmarked` says.
    """
    if unmarked not in UNMARKED:
        raise Misuse(f"got --unmarked {unmarked}; expected {listed(UNMARKED)}")
    counts: Counter[str] = Counter()
    kept, notes = [], []
    for entry in entries:
        said = [one[entry.index] for one in sheets if entry.index in one and one[entry.index].said]
        end = _end(said) if said else "unmarked"
        counts[end] += 1
        if end == "edit":
            text = next(one.edited for one in said if one.edited)
            wrong = fault(text)
            notes += [f"{entry.index}, edited: {wrong}"] if wrong else []
            kept.append(_tagged_again(entry, text))
        elif end == "keep" or (end == "unmarked" and unmarked == "keep"):
            kept.append(entry)
    if counts["unmarked"] and unmarked == "refuse":
        raise Misuse(
            f"got {counts['unmarked']:,} of {len(entries):,} prompts without a verdict; mark them, or say "
            "--unmarked keep or --unmarked drop"
        )
    order = ("keep", "edit", "drop", "unmarked")
    return Reviewed(kept, {name: counts[name] for name in order if counts[name]}, notes)


def _tagged_again(entry: Entry, text: str) -> Entry:
    """An entry with a new text: our rules read its tags and, where they are said no more, its words from it.

    The words of the old text stay only if the new one says them too.
    """
    said = set(words(text))
    own = {name: getattr(entry, name) for name in ("subject", "subject_noun", "place", "action")}
    still = {name: value if set(words(value)) <= said else "" for name, value in own.items()}
    return tag(replace(entry, prompt=text, more={**entry.more, "edited": True}, **still))


def _end(said: Sequence[Verdict]) -> str:
    dropped = sum(one.said == "drop" for one in said)
    if 2 * dropped >= len(said):
        return "drop"
    return "edit" if any(one.said == "edit" for one in said) else "keep"


@dataclass(frozen=True)
class Final:
    """How a final set came about: about.json."""

    sheets: Sequence[str]
    verdicts: Mapping[str, int]
    notes: Sequence[str]
    seed: int
    minimum: Mapping[str, int]
    unmarked: str


def write_final(
    entries: Sequence[Entry], about: Final, folder: Path, *, styles: Sequence[str], fresh: bool = False
) -> Path:
    """Write the set that is left, whole or not at all: prompt files, about.json and coverage.png."""
    from beholder.video.prompts import files
    from beholder.video.prompts.figure import save

    with files.whole_set(folder, fresh=fresh) as draft:
        first = files.write(entries, draft, styles=styles)[0]
        said = {"kept": len(entries), **asdict(about)}
        write_whole(draft / "about.json", json.dumps(said, indent=1, ensure_ascii=False) + "\n")
        save({"this set": entries}, draft / "coverage.png")
    return folder / first.name


# --- a study's answers


def from_study(path: Path, entries: Sequence[Entry]) -> dict[str, Verdict]:
    """The verdicts of a study's export (answers.csv): the majority of those who were shown a prompt; a tie drops it."""
    from beholder.io.table import read

    file = path / "answers.csv" if path.is_dir() else path
    try:
        table = read(file, None).fillna("")
    except (ValueError, OSError) as broken:
        raise Misuse(f"{file} cannot be read: {broken}; expected answers.csv of beholder study export") from None
    lacking = {"item", "value", "use"} - set(table.columns)
    if lacking:
        raise Misuse(f"{file}: got no column {listed(sorted(lacking))}; expected answers.csv of beholder study export")
    known = {entry.index for entry in entries}
    votes: dict[str, Counter[str]] = {}
    for item, value, use in zip(table["item"], table["value"], table["use"], strict=True):
        index = unescape(str(item)).removeprefix("prompt-")
        if use == "trial" and index in known and value in ANSWERS:
            votes.setdefault(index, Counter())[ANSWERS[value]] += 1
    if not votes:
        raise Misuse(f"{file}: got no answer about these prompts; expected the export of their study")
    return {index: Verdict("keep" if own["keep"] > own["drop"] else "drop") for index, own in votes.items()}
