"""Where participants come from: which ids stand in their link, and who they are."""

from __future__ import annotations

import re
from collections.abc import Mapping

from beholder.study.server.guard import MTURK, MTURK_SUBMIT
from beholder.study.server.security import Keys
from beholder.study.server.visits import Closed, Refused

IDS = {
    "open": (),
    "invite": ("invite",),
    "prolific": ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID"),
    "mturk": ("workerId", "assignmentId", "hitId", "turkSubmitTo"),
}  # the first one is the person
NOT_YET = "ASSIGNMENT_ID_NOT_AVAILABLE"  # MTurk: somebody looks at the task and has not accepted it
NAMES = {"invite": "the link of your invitation", "prolific": "the link on Prolific", "mturk": "the task on MTurk"}
_ID = re.compile(r"[A-Za-z0-9_.-]{1,128}")


def ids_of(platform: str, asked: Mapping[str, str]) -> dict[str, str]:
    """The ids of a link, as far as they are what they should be; addresses are those of MTurk or none."""
    found = {}
    for name in IDS[platform]:
        value = asked.get(name, "")
        if (value in MTURK) if name == "turkSubmitTo" else _ID.fullmatch(value):
            found[name] = value
    return found


def is_preview(platform: str, ids: Mapping[str, str]) -> bool:
    """Whether nothing can be begun yet."""
    return platform == "mturk" and ids.get("assignmentId") == NOT_YET


def person(platform: str, ids: Mapping[str, str], *, keys: Keys, study: str, visit: str) -> str:
    """Who somebody is: the platform's id, the invitation, or, where all may enter, this browser."""
    if platform == "open":
        return visit
    raw = ids.get(IDS[platform][0], "")
    if not raw or is_preview(platform, ids):
        raise Refused(f"This link lacks the id of who takes part. Open the study from {NAMES[platform]}.")
    if platform == "invite" and not keys.invited(study, raw):
        raise Closed("This invitation was not made for this study. Look at the link that you were given.")
    return raw


def submission(extra: tuple[str, ...], code: str) -> dict[str, object] | None:
    """What goes back to MTurk at the end: where, and which fields."""
    if len(extra) < 2 or not all(extra[:2]):
        return None
    assignment, host = extra[:2]
    return {"action": host + MTURK_SUBMIT, "fields": {"assignmentId": assignment, "code": code}}
