"""The JSON that the page of trials asks for: the next trial, an answer, an event, and the media."""

from __future__ import annotations

from asyncio import wrap_future
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Request, Response
from fastapi import Path as InPath
from fastapi.responses import FileResponse
from pydantic import BaseModel, ConfigDict, Field

from beholder.errors import printable
from beholder.study.server.desk import Asker, AtDesk, AtStudy, Desk, Forbidden, Held, Visitor
from beholder.study.server.security import same
from beholder.study.server.showing import Served, media_token
from beholder.study.server.visits import OVER, Current, Given, Gone, Unknown

AGO = "Thu, 01 Jan 1970 00:00:00 GMT"  # in the place of when a file was made, which would tell files apart
Count = Annotated[int, Field(ge=0, le=1_000_000)]
Seconds = Annotated[float, Field(ge=0, le=1_000_000, allow_inf_nan=False)]
Short = Annotated[str, Field(min_length=1, max_length=64)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class AnswerBody(_Body):
    """An answer to one trial."""

    token: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
    key: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{16,64}$")]
    values: Annotated[dict[Short, Short], Field(max_length=10)]
    seconds: Seconds | None = None
    replays: Count = 0
    frames: Count | None = None
    dropped: Count | None = None
    hidden: Count = 0


class EventBody(_Body):
    """Something that happened on the page."""

    what: Annotated[str, Field(pattern=r"^[a-z][a-z_]{0,31}$")]
    detail: Annotated[str, Field(max_length=200)] = ""


class ErrorBody(BaseModel):
    """What went wrong, in a sentence."""

    error: str


class NextBody(BaseModel):
    """The next trial, or that there is none and where to go."""

    done: bool
    trial: dict[str, Any] | None = None
    go: str = ""
    pad: str = ""


class StoredBody(BaseModel):
    """That an answer is on the disk, and what comes next."""

    stored: Literal[True]
    feedback: Literal["right", "wrong", ""] = ""
    next: NextBody
    pad: str = ""


async def own_script(request: Request) -> None:
    """A header that no other site can make a browser send."""
    if request.headers.get("x-beholder") != "1":
        raise Forbidden("got a post without the header X-Beholder: 1; expected one from the study's own page")


ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorBody} for status in (400, 401, 403, 404, 408, 409, 410, 413, 415, 422, 425, 429, 503, 507)
}
router = APIRouter(prefix="/s/{study}", responses=ERRORS)


@router.get("/api/next", response_model=NextBody)
def next_trial(desk: AtDesk, study: AtStudy, visitor: Asker) -> Response:
    """The trial that is to be shown now."""
    session = visitor.session
    if session.outcome in OVER:
        raise Gone(OVER[session.outcome])
    current = desk.store.next_trial(session, desk.clock())
    return _json(study, _next(desk, study, visitor.bearer, current))


@router.post("/api/answer", response_model=StoredBody, dependencies=[Depends(own_script)])
async def answer(desk: AtDesk, study: AtStudy, held: Held, body: AnswerBody) -> Response:
    """Keep an answer; 200 is sent when it is on the disk."""
    stored = await wrap_future(desk.store.answering(held.session, Given(**body.model_dump()), desk.clock()))
    onward = _next(desk, study, held.bearer, stored.next)
    return _json(study, {"stored": True, "feedback": stored.feedback, "next": onward})


@router.post("/api/event", status_code=204, dependencies=[Depends(own_script)])
def event(desk: AtDesk, study: AtStudy, visitor: Asker, body: EventBody) -> Response:
    """Keep what happened on the page."""
    desk.store.note(visitor.session, body.what, printable(body.detail), desk.clock())
    return Response(status_code=204)


@router.get("/media/{mtoken}", response_class=FileResponse)
def media(
    desk: AtDesk,
    study: AtStudy,
    visitor: Asker,
    mtoken: Annotated[str, InPath(pattern=r"^[A-Za-z0-9_-]{43}$")],
) -> Response:
    """The picture or film of the trial that is shown, or of the next one, to who it is for."""
    item = _item(desk, visitor, mtoken)
    seen = study.seen(item) if item else None
    if seen is None or seen.file is None:
        raise Unknown("there is nothing to show here now; reload the page")
    headers = {"cache-control": "private, no-transform, max-age=3600", "etag": f'"{mtoken}"', "last-modified": AGO}
    return FileResponse(seen.file, media_type=seen.media_type, headers=headers)


def _item(desk: Desk, visitor: Visitor, mtoken: str) -> str:
    """The item behind an address, among those that this session may see now."""
    session = visitor.session
    if session.outcome or session.stage != "trials":
        return ""
    current = desk.store.current(session)
    for trial in filter(None, (current, current.following if current else None)):
        for at, item in enumerate((trial.drawn.item, trial.drawn.other)):
            if same(mtoken, media_token(desk.keys, trial, at)):
                return item
    return ""


def _next(desk: Desk, study: Served, bearer: str, current: Current | None) -> dict[str, Any]:
    if current is None:
        return {"done": True, "go": f"/s/{study.study.name}/go" + (f"?t={bearer}" if bearer else "")}
    return {"done": False, "trial": study.trial(current, desk.keys, bearer)}


def _json(study: Served, body: dict[str, Any]) -> Response:
    """No proxy may compress it: the size would tell again what it held."""
    whole = {"cache-control": "no-store, no-transform"}
    return Response(study.padded(body), media_type="application/json", headers=whole)
