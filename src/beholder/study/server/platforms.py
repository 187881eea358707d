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
_INVITE = re.compile(r"[A-Za-z0-9_-]{1,64}")
_HEX = re.compile(r"[0-9a-f]{24}")
_PLAIN = re.compile(r"[A-Za-z0-9]{1,64}")
_FORMS = {
    "invite": (_INVITE, "as in the invitation"),
    "PROLIFIC_PID": (_HEX, "24 characters from 0-9 and a-f"),
    **dict.fromkeys(("STUDY_ID", "SESSION_ID", "workerId", "hitId"), (_PLAIN, "up to 64 letters and digits")),
    "assignmentId": (re.compile(rf"{_PLAIN.pattern}|{NOT_YET}"), "up to 64 letters and digits"),
}


def ids_of(platform: str, asked: Mapping[str, str]) -> dict[str, str]:
    """The ids of a link; what cannot be one is refused, and an address that is not MTurk's is left out."""
    found = {name: asked[name] for name in IDS[platform] if asked.get(name)}
    for name in set(found) & set(_FORMS):
        form, looks = _FORMS[name]
        if not form.fullmatch(found[name]):
            raise Refused(
                f"The {name} in this link is not valid: expected {looks}. Please open the study from {NAMES[platform]}."
            )
    if found.get("turkSubmitTo", MTURK[0]) not in MTURK:
        del found["turkSubmitTo"]
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
        raise Refused(f"This link has no participant id. Please open the study from {NAMES[platform]}.")
    if platform == "invite" and not keys.invited(study, raw):
        raise Closed("This invitation is not for this study. Please check your link.")
    return raw


def submission(extra: tuple[str, ...], code: str) -> dict[str, object] | None:
    """What goes back to MTurk at the end: where, and which fields."""
    if len(extra) < 2 or not all(extra[:2]):
        return None
    assignment, host = extra[:2]
    return {"action": host + MTURK_SUBMIT, "fields": {"assignmentId": assignment, "code": code}}
