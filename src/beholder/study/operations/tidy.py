"""From the rows of the database to tidy tables: answers, sessions, items. Nobody's platform id is in them."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from beholder.study.design.drawing import Drawn, right_answer
from beholder.study.design.file import Shown, Study
from beholder.study.operations.exclusions import Conduct, broken, conduct

Row = dict[str, Any]
Rows = Sequence[Mapping[str, Any]]

ANSWERS = {
    "study": ("text", "", "name of the study"),
    "session": ("text", "", "one participant's visit; a label made for the export, the same in every export"),
    "position": ("integer", "", "position in the order of trials shown, from 0"),
    "use": ("text", "", "trial, practice, check (shows which answer to give) or repeat (shown a second time)"),
    "item": ("text", "", "the item shown; in a two-alternative trial the first of the two"),
    "other": ("text", "", "two-alternative: the second of the two"),
    "class": ("text", "", "true class of the item; two-alternative: of the first and the second, joined by |"),
    "group": ("text", "", "what the item belongs to, such as one picture"),
    "system": ("text", "", "who made the item; two-alternative: of the first and the second, joined by |"),
    "stimulus": ("text", "", "kind of stimulus, such as picture or film"),
    "dimension": ("text", "", "which of the study's questions was answered"),
    "value": ("text", "", "the answer"),
    "right": ("integer", "", "1: right for the class (check: as instructed), 0: wrong, empty: no answer is right"),
    "expected": ("text", "", "the answer that would have been right; empty where there is none"),
    "seconds": ("number", "s", "time from the end of the clip, or from when answers could be given, to the answer"),
    "replays": ("integer", "", "how often the clip was replayed"),
    "frames": ("integer", "frames", "frames drawn"),
    "dropped": ("integer", "frames", "frames not drawn in time"),
    "hidden": ("integer", "", "how often the page was hidden during the trial"),
    "at": ("time", "ISO 8601, UTC", "when the answer was stored"),
}
SESSIONS = {
    "study": ("text", "", "name of the study"),
    "session": ("text", "", "as in answers"),
    "kind": ("text", "", "group of the participant, from the form, such as expert"),
    "outcome": (
        "text",
        "",
        "complete, failed_checks, screened_out, refused, withdrawn, expired, rejected; empty: still running",
    ),
    "state": ("text", "", "complete: all trials were answered; partial: some; empty: none"),
    "excluded": ("text", "", "rules of the study that the session breaks, joined by ;"),
    "simulated": ("integer", "", "1 made by `beholder study simulate`, 0 a person"),
    "consent": ("text", "SHA-256", "version of the consent text that was agreed to"),
    "started": ("time", "ISO 8601, UTC", "first page"),
    "finished": ("time", "ISO 8601, UTC", "when the last answer was stored, or the session ended"),
    "trials": ("integer", "", "trials assigned, without practice"),
    "answered": ("integer", "", "trials answered, without practice"),
    "checks_failed": ("integer", "", "checks not answered as instructed"),
    "consistency": ("number", "share", "share of repeats answered like the first time"),
    "frames_shown": ("number", "share", "share of frames drawn in time; an answer without counts is taken as 0"),
    "comment": ("text", "", "comment, where the study asks for one"),
}
ITEMS = {
    "item": ("text", "", "id of the item"),
    "class": ("text", "", "its true class"),
    "group": ("text", "", "what it belongs to"),
    "system": ("text", "", "who made it"),
    "use": ("text", "", "trial, practice or check"),
    "stimulus": ("text", "", "kind of stimulus"),
    "note": ("text", "", "what to know about it, such as: human fixations, synthetic saccades"),
    "answered": ("integer", "", "answered trials with this item, in sessions that were not rejected"),
    "leased": ("integer", "", "trials with this item now in progress"),
}
MOST_DEVICE = 12  # facts of a device that are kept as columns


class Tidy(NamedTuple):
    """The tables of an export, and what their columns mean: name → (type, unit, meaning)."""

    answers: list[Row]
    sessions: list[Row]
    items: list[Row]
    columns: Mapping[str, Mapping[str, tuple[str, str, str]]]


def session_label(id: str) -> str:
    """What a session is called outside the database: nobody finds the cookie from it, the keeper finds the session.

    >>> session_label("0" * 32)
    'p84e0c0eafaa9'
    """
    return "p" + hashlib.sha256(id.encode()).hexdigest()[:12]


def tidy(study: Study, tables: Mapping[str, Rows], exposure: Iterable[Any] = ()) -> Tidy:
    """The rows of the database as one row per answer and dimension, per session and per item."""
    items = {item.id: item for item in study.items}
    rows = _by_session(tables)
    answers = [one for id, pairs in rows.items() for trial, answer in pairs
               for one in _answers(study, session_label(id), trial, answer, items)]  # fmt: skip
    assigned: dict[str, int] = defaultdict(int)
    for trial in tables["trials"]:
        assigned[trial["session"]] += trial["use"] != "practice"
    sessions = [
        _session(study, session, rows.get(session["id"], []), assigned[session["id"]], items)
        for session in tables["sessions"]
    ]
    forms, devices = _more(sessions, "form_"), _more(sessions, "device_")
    asked = {f"form_{one.name}": ("text", "", one.label) for one in study.form}
    further = {name: asked.get(name, ("text", "", "answer to the form before the trials")) for name in forms}
    further |= dict.fromkeys(devices, ("text", "", "coarse information about the device"))
    columns = {"answers": ANSWERS, "sessions": SESSIONS | further, "items": ITEMS}
    return Tidy(answers, sessions, _items(study, exposure), columns)


def _by_session(tables: Mapping[str, Rows]) -> dict[str, list[tuple[Mapping[str, Any], Mapping[str, Any]]]]:
    """The answered trials of each session, in order."""
    trials = {(one["session"], one["position"]): one for one in tables["trials"]}
    found = defaultdict(list)
    for answer in sorted(tables["answers"], key=lambda one: (one["session"], one["position"])):
        trial = trials.get((answer["session"], answer["position"]))
        if trial is not None:
            found[answer["session"]].append((trial, answer))
    return found


def _answers(study: Study, session: str, trial: Mapping[str, Any], answer: Mapping[str, Any],
             items: Mapping[str, Shown]) -> list[Row]:  # fmt: skip
    shown = [items[id] for id in (trial["item"], trial["other"]) if id]
    expected = right_answer(study, Drawn(trial["use"], trial["item"], trial["kind"], trial["other"]))
    first = study.questions[0].dimension  # what is right is right on the first question
    return [
        {
            "study": study.name,
            "session": session,
            "position": trial["position"],
            "use": trial["use"],
            "item": trial["item"],
            "other": trial["other"],
            "class": trial["kind"],
            "group": shown[0].group,
            "system": "|".join(one.system for one in shown),
            "stimulus": shown[0].stimulus,
            "dimension": dimension,
            "value": value,
            "right": int(value == expected) if expected and dimension == first else None,
            "expected": expected if dimension == first else "",
            **{name: answer[name] for name in ("seconds", "replays", "frames", "dropped", "hidden")},
            "at": _moment(answer["at"]),
        }
        for dimension, value in answer["values"].items()
    ]


def _session(study: Study, session: Mapping[str, Any], rows: list[tuple[Mapping[str, Any], Mapping[str, Any]]],
             assigned: int, items: Mapping[str, Shown]) -> Row:  # fmt: skip
    how = conduct(study, session, rows, items)
    return {
        "study": study.name,
        "session": session_label(session["id"]),
        **{name: session[name] for name in ("kind", "outcome")},
        "state": _state(how, assigned),
        "excluded": ";".join(broken(study, how)),
        "simulated": int(session["simulated"]),
        "consent": session["consent"],
        "started": _moment(session["started"]),
        "finished": _moment(session["finished"]),
        "trials": assigned,
        "answered": how.answered,
        "checks_failed": how.checks_failed,
        "consistency": how.consistency,
        "frames_shown": how.frames_shown,
        "comment": session["comment"],
        **{f"form_{name}": value for name, value in (session["form"] or {}).items()},
        **{f"device_{name}": value for name, value in list((session["device"] or {}).items())[:MOST_DEVICE]},
    }


def _state(how: Conduct, assigned: int) -> str:
    if how.finished or (assigned and how.answered >= assigned):  # who withdrew at the very end answered all, too
        return "complete"
    return "partial" if how.answered else "empty"


def _items(study: Study, exposure: Iterable[Any]) -> list[Row]:
    counts = {one["item"]: one for one in exposure}
    return [
        {
            "item": item.id,
            "class": item.kind,
            **{name: getattr(item, name) for name in ("group", "system", "use", "stimulus", "note")},
            "answered": counts.get(item.id, {}).get("answered", 0),
            "leased": counts.get(item.id, {}).get("leased", 0),
        }
        for item in study.items
    ]


def _more(rows: list[Row], prefix: str) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row if name.startswith(prefix)))


def _moment(seconds: float | None) -> str:
    return "" if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
