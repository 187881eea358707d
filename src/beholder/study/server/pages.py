"""The pages that participants see. Templates stand in `templates/`; each is given these variables.

In every page of a study: `study` (`name`, `title`, `contact`: nothing that tells what an item truly is), `base`
(`/s/NAME`), `static` (`/static`), `csrf` and `bearer`. Every form posts the hidden fields `csrf` and `bearer` (empty
but inside MTurk's frame, where no cookie travels; scripts then send it as `Authorization: Bearer`).
`{{ text | paragraphs }}` gives a list of paragraphs.

landing.html       ids (name → value, hidden fields), resume (this browser has begun); posts {base}/enter
preview.html       instructions (MTurk before the task is accepted: nothing can be started)
consent.html       consent (version, text, contact, hash); posts {base}/consent: hash, agree = yes or no
form.html          fields (each name, label, choices of value and label, else a number low … high; required, value,
                   error), problem; posts {base}/form: form_NAME for each field
device.html        trial (yes_no …); posts {base}/device: width, height (of the window), ratio, fps, kind (phone,
                   tablet, desktop), reduced (0 or 1); may be empty
instructions.html  instructions, questions (text, answers of label and key), trials, practice (counts), replay; posts
                   {base}/instructions
trials.html        api ({base}/api), go ({base}/go), number, of; posts {base}/withdraw: sure = yes
comment.html       longest (characters); posts {base}/comment: comment
done.html          outcome, code, link (or empty), score (right, of; or None), debrief, submit (MTurk: action, fields;
                   or None)
message.html       title, sentence; also without a study (then `study` is None and `base` empty)
admin_login.html   problem; no study; posts /admin/login: secret
admin.html         studies (each name, title, platform, sessions, complete, running)
admin_status.html  status (as status.json), sessions (each id, stage, outcome, kind, answered, of, started, finished as
                   text), items (each item, kind, answered, leased); posts /admin/NAME/reject and /admin/NAME/delete:
                   session

Outcomes: complete, failed_checks, screened_out, refused, withdrawn, expired, rejected. A withdrawal deletes the
answers: the page says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from beholder.study.design.file import Asked
from beholder.study.server import platforms
from beholder.study.server.desk import (
    COOKIE,
    PAUSED,
    SPARE,
    VISIT,
    Asker,
    AtDesk,
    AtStudy,
    Desk,
    Flood,
    Forbidden,
    Posted,
    Sender,
    Visitor,
    known,
    message,
    page,
    session_token,
)
from beholder.study.server.security import make_token, same
from beholder.study.server.showing import Served
from beholder.study.server.visits import OVER, Session, Unknown

LONGEST = 4000  # characters of a comment
PATIENCE = 24 * 3600.0  # seconds for which a landing page is good
DEVICE_MOST = {"width": 20_000.0, "height": 20_000.0, "ratio": 10.0, "fps": 1000.0}
DEVICES = ("phone", "tablet", "desktop")
SIMULATED = "x-beholder-simulated"  # its value is the admin secret: such a session never counts with real ones

router = APIRouter(prefix="/s/{study}", include_in_schema=True, default_response_class=Response)


def _form_of(**fields: str) -> dict[str, Any]:
    """What a form holds, for the OpenAPI description."""
    properties = {name: {"type": "string", "description": text} for name, text in fields.items()}
    schema = {"type": "object", "properties": properties}
    return {"requestBody": {"content": {"application/x-www-form-urlencoded": {"schema": schema}}}}


@router.get("/")
def landing(request: Request, desk: AtDesk, study: AtStudy) -> Response:
    """Where a link leads: what this is, and a button."""
    platform, name = study.study.platform, study.study.name
    ids = platforms.ids_of(platform, request.query_params)
    if platforms.is_preview(platform, ids):
        return page("preview.html", study, instructions=study.study.instructions)
    if not desk.pulse.beats():  # nobody begins what cannot be kept
        return message("The study is paused", PAUSED, served=study, status=503)
    visit = request.cookies.get(VISIT, "")
    fields = desk.keys.signed("visit", visit, now=desk.clock())
    nonce = fields[1] if fields and fields[0] == name else make_token()
    platforms.person(platform, ids, keys=desk.keys, study=name, visit=nonce)
    mine = known(desk, name, request.cookies.get(COOKIE, "")) if platform == "open" else None
    outcome = _outcome(desk, mine[0]) if mine else ""
    if outcome == "withdrawn":  # they were told that they cannot come back
        return RedirectResponse(f"/s/{name}/go", 303)
    begun = mine is not None and outcome not in OVER
    csrf = desk.keys.sign("visit", name, nonce, until=desk.clock() + PATIENCE)
    shown = page("landing.html", study, ids=ids, resume=begun, csrf=csrf)
    if platform == "open":
        _set_cookie(shown, request, desk, study, VISIT, csrf)
    return shown


def _outcome(desk: Desk, session: str) -> str:
    """How a session ended, or nothing; one that was deleted has none."""
    try:
        return desk.store.session(session, desk.clock()).outcome
    except Unknown:
        return ""


@router.post("/enter", openapi_extra=_form_of(csrf="", PROLIFIC_PID="", workerId="", assignmentId="", invite=""))
def enter(request: Request, desk: AtDesk, study: AtStudy, form: Posted) -> Response:
    """Begin, or go on."""
    name, platform = study.study.name, study.study.platform
    fields = desk.keys.signed("visit", form.get("csrf", ""), now=desk.clock())
    if not fields or fields[0] != name:
        raise Forbidden("This page has expired. Please open your link again.")
    ids = platforms.ids_of(platform, form)
    begun = known(desk, name, request.cookies.get(COOKIE, "")) if platform == "open" else None
    if begun:
        session = desk.store.session(begun[0], desk.clock())
    else:
        who = platforms.person(platform, ids, keys=desk.keys, study=name, visit=fields[1])
        simulated = _is_simulated(request, desk)
        if not simulated and not desk.doors.take(desk.place(request)):
            raise Flood("Many people are starting from your network right now. Please wait a minute and try again.", 60)
        session = desk.store.enter(name, platform, who, desk.clock(), simulated=simulated)
    if session.outcome == "expired":
        return message("Too late", OVER["expired"], served=study, status=410)
    if platform == "mturk":
        token = session_token(desk, session, ids.get("assignmentId", ""), ids.get("turkSubmitTo", ""))
        return _go(study, Visitor(session, token))
    reply = _go(study, Visitor(session))
    _set_cookie(reply, request, desk, study, COOKIE, session_token(desk, session))
    return reply


@router.get("/go")
def go(desk: AtDesk, study: AtStudy, visitor: Asker) -> Response:
    """The page of where the participant is."""
    session = visitor.session
    if session.stage == "done":
        return _redirect(study, visitor, "done")
    about = study.study
    csrf = desk.csrf(session)
    if session.stage == "form":
        return _form_page(desk, study, visitor, {}, {})
    if session.stage == "trials":
        current = desk.store.current(session)
        count = current.count(about.trials.practice) if current else {"number": 0, "of": 0}
        base = f"/s/{about.name}"
        return page("trials.html", study, visitor, csrf=csrf, api=f"{base}/api", go=f"{base}/go", **count)
    variables: dict[str, dict[str, Any]] = {
        "consent": {"consent": about.consent},
        "device": {"trial": about.trial},
        "instructions": {
            "instructions": about.instructions,
            "questions": study.questions,
            "trials": about.trials.count + about.trials.checks + about.trials.repeats,
            "practice": about.trials.practice,
            "replay": about.trials.replay,
        },
        "comment": {"longest": LONGEST},
    }
    return page(f"{session.stage}.html", study, visitor, csrf=csrf, **variables[session.stage])


@router.post("/consent", openapi_extra=_form_of(csrf="", hash="of the text", agree="yes or no"))
def consent(desk: AtDesk, study: AtStudy, visitor: Sender, form: Posted) -> Response:
    """Agree, or do not."""
    if form.get("agree") == "no":
        desk.store.refuse(visitor.session, desk.clock())
    elif form.get("agree") == "yes" and same(form.get("hash", ""), study.study.consent.hash):
        desk.store.consent(visitor.session, study.study.consent.hash, desk.clock())
    return _go(study, visitor)  # a text that has changed in between is shown again


@router.post("/form", openapi_extra=_form_of(csrf="", form_NAME="one for each field"))
def fill(desk: AtDesk, study: AtStudy, visitor: Sender, form: Posted) -> Response:
    """Send the form; what is missing is asked for again."""
    if visitor.session.stage != "form":
        return _go(study, visitor)
    values = {asked.name: form.get(f"form_{asked.name}", "").strip() for asked in study.study.form}
    errors = {asked.name: fault for asked in study.study.form if (fault := _fault(asked, values[asked.name]))}
    if errors:
        return _form_page(desk, study, visitor, values, errors)
    desk.store.fill(visitor.session, values, desk.clock())
    return _go(study, visitor)


@router.post("/device", openapi_extra=_form_of(csrf="", **dict.fromkeys((*DEVICE_MOST, "kind", "reduced"), "")))
def device(desk: AtDesk, study: AtStudy, visitor: Sender, form: Posted) -> Response:
    """What the device is like, coarsely; nothing that would tell one from another."""
    found: dict[str, Any] = {name: _number(form.get(name, ""), most) for name, most in DEVICE_MOST.items()}
    found["kind"] = form.get("kind") if form.get("kind") in DEVICES else None
    found["reduced"] = {"0": 0, "1": 1}.get(form.get("reduced", ""))
    desk.store.measure(visitor.session, {n: v for n, v in found.items() if v is not None}, desk.clock())
    return _go(study, visitor)


@router.post("/instructions", openapi_extra=_form_of(csrf=""))
def instructions(desk: AtDesk, study: AtStudy, visitor: Sender) -> Response:
    """Begin the trials: now they are drawn."""
    desk.store.begin(visitor.session, desk.clock())
    return _go(study, visitor)


@router.post("/comment", openapi_extra=_form_of(csrf="", comment=""))
def comment(desk: AtDesk, study: AtStudy, visitor: Sender, form: Posted) -> Response:
    """A free comment at the end."""
    desk.store.comment(visitor.session, form.get("comment", "").strip()[:LONGEST], desk.clock())
    return _go(study, visitor)


@router.post("/withdraw", openapi_extra=_form_of(csrf="", sure="yes"))
def withdraw(desk: AtDesk, study: AtStudy, visitor: Sender, form: Posted) -> Response:
    """Stop, and have all answers deleted."""
    if form.get("sure") == "yes":
        desk.store.withdraw(visitor.session, desk.clock())
    return _go(study, visitor)


@router.get("/done")
def done(desk: AtDesk, study: AtStudy, visitor: Asker) -> Response:
    """The end: a code is only here when the last answer is stored."""
    session = visitor.session
    if not session.outcome:
        return _go(study, visitor)
    about = study.study
    code = _code(study, session)
    right, of = desk.store.score(session) if about.show_score and session.outcome not in OVER else (0, 0)
    return page(
        "done.html",
        study,
        visitor,
        csrf=desk.csrf(session),
        outcome=session.outcome,
        code=code,
        link=about.codes.return_to.replace("{code}", quote(code, safe="")) if code else "",
        score={"right": right, "of": of} if of else None,
        debrief=about.debrief if session.outcome not in OVER else "",
        submit=platforms.submission(visitor.extra, code) if code else None,
    )


def _code(study: Served, session: Session) -> str:
    codes = study.study.codes
    return {
        "complete": codes.complete,
        "failed_checks": codes.failed_checks or codes.complete,
        "screened_out": codes.screened_out,
    }.get(session.outcome, "")


def _is_simulated(request: Request, desk: Desk) -> bool:
    word = request.headers.get(SIMULATED, "")
    return bool(word) and desk.is_secret(request, word)


def _redirect(study: Served, visitor: Visitor, to: str) -> Response:
    carried = f"?t={visitor.bearer}" if visitor.bearer else ""
    return RedirectResponse(f"/s/{study.study.name}/{to}{carried}", 303)


def _go(study: Served, visitor: Visitor) -> Response:
    return _redirect(study, visitor, "go")


def _set_cookie(reply: Response, request: Request, desk: Desk, study: Served, name: str, value: str) -> None:
    reply.set_cookie(
        name,
        value,
        max_age=int(study.study.resume_hours * 3600 + SPARE),
        path=f"/s/{study.study.name}/",
        secure=desk.https or request.url.scheme == "https",
        httponly=True,
        samesite="lax",
    )


def _form_page(
    desk: Desk, study: Served, visitor: Visitor, values: Mapping[str, str], errors: Mapping[str, str]
) -> Response:
    fields = [
        asked.model_dump() | {"value": values.get(asked.name, ""), "error": errors.get(asked.name, "")}
        for asked in study.study.form
    ]
    problem = "Please check the marked fields." if errors else ""
    csrf = desk.csrf(visitor.session)
    return page("form.html", study, visitor, http=422 if errors else 200, csrf=csrf, fields=fields, problem=problem)


def _fault(asked: Asked, value: str) -> str:
    """What is wrong with an answer to the form, or nothing."""
    if not value:
        return "Please answer this." if asked.required else ""
    if asked.choices:
        return "" if value in {choice.value for choice in asked.choices} else "Please choose one of these."
    number = int(value) if value.isascii() and value.isdecimal() and len(value) < 10 else None
    fits = number is not None and asked.low <= number <= asked.high
    return "" if fits else f"Please enter a whole number from {asked.low} to {asked.high}."


def _number(text: str, most: float) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return round(value, 2) if 0 < value <= most else None
