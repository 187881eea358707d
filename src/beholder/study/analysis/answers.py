"""An export folder, read: who answered what, by which rules they are excluded, and the study that asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from beholder.core.sample import remark
from beholder.core.scores import unescape
from beholder.errors import Misuse
from beholder.io.reading import parse_json
from beholder.study.design import file as study_file
from beholder.study.design.cues import Cue
from beholder.study.design.drawing import right_by_class
from beholder.study.design.faults import sentence
from beholder.study.design.file import FIRST, SECOND, Study

if TYPE_CHECKING:
    import pandas as pd

EXPORT = "a folder written by beholder study export"
NEEDED = {
    "answers": ("session", "use", "item", "class", "dimension", "value"),
    "sessions": ("session",),
    "items": ("item", "class"),
}
FURTHER = {  # columns that older or hand-made tables may lack, and what stands for them
    "answers": ("other", "group", "system", "stimulus", "right", "seconds", "position", "replays", "dropped", "hidden"),
    "sessions": ("kind", "outcome", "excluded", "simulated", "consistency", "checks_failed", "frames_shown"),
    "items": ("group", "system", "stimulus", "note"),
}
FINISHED = ("complete", "failed_checks")  # outcomes of sessions that answered everything
UNSAID = {"outcome": "complete"}
GONE = ("withdrawn", "refused", "rejected", "screened_out")  # outcomes of sessions whose answers are not used
NUMBERS = ("right", "seconds", "replays", "dropped", "hidden", "position")


@dataclass(frozen=True)
class Export:
    """What a study has collected. All cells are texts as far as they are no measurements."""

    study: Study
    answers: pd.DataFrame  # trials only: no practice, checks or repeats
    sessions: pd.DataFrame
    items: pd.DataFrame
    repeats: pd.DataFrame  # second answers to items that were shown twice
    remarks: tuple[str, ...] = ()
    cues: tuple[Cue, ...] = ()  # that tell the classes apart without a look at what is judged

    def kept(self) -> Export:
        """The same without the sessions that the study's own rules exclude."""
        sessions = self.sessions[self.sessions["excluded"] == ""]
        answers, repeats = (of[of["session"].isin(sessions["session"])] for of in (self.answers, self.repeats))
        return replace(self, sessions=sessions, answers=answers, repeats=repeats)

    @property
    def partial(self) -> int:
        """Sessions that did not answer everything."""
        return int((~self.sessions["outcome"].isin(FINISHED)).sum())

    @property
    def failed(self) -> int:
        """Sessions that answered everything, and failed checks."""
        return int((self.sessions["outcome"] == "failed_checks").sum())

    @property
    def simulated(self) -> int:
        """Sessions behind which there is no person."""
        return int(self.sessions["simulated"].isin(["1", "1.0"]).sum())

    @property
    def kinds(self) -> list[str]:
        """The kinds of participants who answered, where there are several: those of the study first, in its order."""
        there = list(self.sessions["kind"].unique())
        known = [group.name for group in self.study.groups if group.name in there]
        found = [*known, *(kind for kind in there if kind and kind not in known), *([""] if "" in there else [])]
        return found if len(found) > 1 else []

    @property
    def stimuli(self) -> list[str]:
        """The kinds of stimulus, where there are several."""
        found = [str(name) for name in self.answers["stimulus"].unique() if name]
        return found if len(found) > 1 else []


def read(folder: Path) -> Export:
    """The export in a folder."""
    if not folder.is_dir():
        raise Misuse(f"got {folder}, which is not a folder; expected {EXPORT}")
    tables = {name: _table(folder / f"{name}.csv", name) for name in NEEDED}
    study = _study(folder)
    sessions, answers = tables["sessions"], tables["answers"]
    _refuse_edited(folder / "answers.csv", study, answers, sessions)
    gone = sessions["outcome"].isin(GONE)
    sessions = sessions[~gone]
    judged = answers[(answers["use"] == "trial") & answers["session"].isin(sessions["session"])]
    empty = int((~sessions["session"].isin(judged["session"])).sum())
    sessions = sessions[sessions["session"].isin(judged["session"])]
    if judged.empty:
        raise Misuse(f"{folder}: got no answer to any trial; expected at least one: has anybody taken part yet?")
    kinds = dict(zip(sessions["session"], sessions["kind"], strict=True))
    judged = judged.assign(person=judged["session"].map(kinds).fillna(""))
    again = answers[(answers["use"] == "repeat") & answers["session"].isin(sessions["session"])]
    again = again.assign(person=again["session"].map(kinds).fillna(""))
    left = [f"{outcome} ({int((tables['sessions']['outcome'] == outcome).sum())})" for outcome in GONE
            if (tables["sessions"]["outcome"] == outcome).any()]  # fmt: skip
    made = [str(one) for one in sessions["session"][sessions["simulated"].isin(["1", "1.0"])]]
    remarks = (
        *([f"not used are the answers of these sessions: {', '.join(left)}"] if left else []),
        *([f"{empty} session{'s' if empty > 1 else ''} without an answer to any trial: not counted"] if empty else []),
        *remark(made, "session", "simulated"),
    )
    judged, doubts = _rescored(study, judged)
    remarks = (*remarks, *doubts)
    if judged.empty:
        raise Misuse(f"{folder}: got no answer that the study offers; expected one of its values in the column value")
    sessions, judged, again = (of.reset_index(drop=True) for of in (sessions, judged, again))
    return Export(study, judged, sessions, tables["items"], again, remarks, _cues(folder))


def _refuse_edited(file: Path, study: Study, answers: pd.DataFrame, sessions: pd.DataFrame) -> None:
    """Refuse answers that no export holds: given twice, by nobody who took part, or about nothing that was shown."""
    odd = {
        "that appear twice": answers.duplicated(["session", "use", "position", "item", "other", "dimension"]),
        "of sessions that are not in sessions.csv": ~answers["session"].isin(sessions["session"]),
        "to items that are not in the study": ~answers["item"].isin([item.id for item in study.items]),
    }
    for what, which in odd.items():
        if which.any():
            first = answers[which].iloc[0]
            raise Misuse(
                f"{file}: got {int(which.sum())} answers {what} (the first: session {first['session']}, item "
                f"{first['item']}); if the file was edited, export the study again"
            )


def _rescored(study: Study, judged: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Answers whose column `right` follows from value and class, as every number does; and what was otherwise."""
    import numpy as np

    first = (judged["dimension"] == study.questions[0].dimension).to_numpy(bool)
    if study.trial == "rating" or (study.trial == "yes_no" and not study.right):
        return judged, []
    known = {answer.value for answer in study.questions[0].answers} if study.trial == "yes_no" else {FIRST, SECOND}
    strange = first & ~judged["value"].isin(known).to_numpy(bool)
    said = []
    if strange.any():
        words = ", ".join(sorted(judged["value"][strange].unique())[:3])
        many = f"{strange.sum()} answers are" if strange.sum() > 1 else "1 answer is"
        said.append(
            f"{many} not one of the study's answers ({words}) and left out: the export seems to have been edited"
        )
        judged, first = judged[~strange], first[~strange]
    due = {kind: right_by_class(study, str(kind)) for kind in judged["class"].unique()}
    wanted = np.array([due[kind] for kind in judged["class"]], dtype=object)
    held = judged["right"].to_numpy(float)
    right = np.where(first & (wanted != ""), (judged["value"].to_numpy(dtype=object) == wanted).astype(float), np.nan)
    apart = int((np.isfinite(held) & np.isfinite(right) & (held != right)).sum())
    if apart:
        many = f"{apart} answers have" if apart > 1 else "1 answer has"
        said.append(
            f"{many} a cell `right` that contradicts value and class, and is not used: the export seems to have been "
            "edited"
        )
    return judged.assign(right=right), said


def _cues(folder: Path) -> tuple[Cue, ...]:
    """The cues of what was shown, as the export has them."""
    about = folder / "about.json"
    if not about.is_file():
        return ()
    try:
        return tuple(Cue(**row) for row in parse_json(about.read_bytes()).get("cues", ()))
    except (ValueError, TypeError, AttributeError) as fault:
        raise Misuse(f"{about} cannot be read: {fault}; expected {EXPORT}") from fault


def _table(file: Path, name: str) -> pd.DataFrame:
    """One table of the export as texts, measurements as numbers."""
    import pandas as pd

    if not file.is_file():
        raise Misuse(f"got {file.parent} without {file.name}; expected {EXPORT}")
    try:
        rows = pd.read_csv(file, dtype=str, keep_default_na=False, encoding="utf-8-sig")
    except (ValueError, UnicodeDecodeError) as fault:
        raise Misuse(f"{file} cannot be read: {fault}; expected {EXPORT}") from fault
    _require(rows, NEEDED[name], file)
    rows = rows.assign(**{column: UNSAID.get(column, "") for column in FURTHER[name] if column not in rows})
    texts = [column for column in rows if column not in NUMBERS]
    rows = rows.assign(**{str(c): rows[c].map({t: unescape(t) for t in rows[c].unique()}) for c in texts})
    return rows.assign(**{c: pd.to_numeric(rows[c], errors="coerce") for c in NUMBERS if c in rows})


def _require(rows: pd.DataFrame, names: Sequence[str], file: Path) -> None:
    for name in names:
        if name not in rows:
            raise Misuse(f"{file}: got no column {name!r}; expected {', '.join(names)}: {EXPORT}")


def _study(folder: Path) -> Study:
    """The study as it was served."""
    held = folder / "study.json"
    if not held.is_file():
        if not (folder / "study.toml").is_file():
            raise Misuse(f"got {folder} without study.json; expected {EXPORT}")
        return study_file.read(folder / "study.toml")
    try:
        return Study.model_validate_json(held.read_bytes())
    except ValidationError as fault:
        raise Misuse(f"{held} differs from the study that was served: {sentence(fault)}; export it again") from fault
