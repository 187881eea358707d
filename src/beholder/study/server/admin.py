"""The pages of who runs a study: how it stands, its data, sessions that do not count. All need the secret."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response

from beholder.study.server.desk import ADMIN, AtDesk, AtStudy, Desk, Forbidden, Posted, Unsigned, page
from beholder.study.server.security import same
from beholder.study.server.visits import Unknown

LONG = 12 * 3600.0  # seconds for which a login is good

router = APIRouter(prefix="/admin", default_response_class=Response)


def _login_token(desk: Desk) -> str:
    return desk.keys.sign("admin", desk.keys.name("admin secret", desk.secret), until=desk.clock() + LONG)


def _is_login(desk: Desk, token: str) -> bool:
    fields = desk.keys.signed("admin", token, now=desk.clock())
    return fields is not None and same(fields[0], desk.keys.name("admin secret", desk.secret))


def _csrf(desk: Desk, token: str) -> str:
    return desk.keys.name("admin csrf", token)


def keeper(request: Request, desk: AtDesk) -> str:
    """Who may look: the secret itself in the header (nothing is returned), or a login (its token is)."""
    scheme, _, word = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        if desk.is_secret(request, word.strip()):
            return ""
    elif _is_login(desk, token := request.cookies.get(ADMIN, "")):
        return token
    raise Unsigned("The secret is needed here. Log in at /admin, or send it as Authorization: Bearer.")


Keeper = Annotated[str, Depends(keeper)]


def changer(desk: AtDesk, token: Keeper, form: Posted) -> None:
    """Who may change: with a login, only through a form that was made for it."""
    if token and not same(form.get("csrf", ""), _csrf(desk, token)):
        raise Forbidden("This form has expired or belongs to somebody else. Please reload the page.")


@router.get("")
def overview(request: Request, desk: AtDesk) -> Response:
    """All studies, or the login."""
    try:
        token = keeper(request, desk)
    except Unsigned:
        return _login_page(desk)
    rows = [desk.store.status(name, desk.clock()) for name in desk.served]
    studies = [row | {"name": row["study"]} for row in rows]
    return page("admin.html", csrf=_csrf(desk, token), studies=studies)


@router.post("/login")
def login(request: Request, desk: AtDesk, form: Posted) -> Response:
    """Give the secret, get a cookie that opens these pages and nothing else."""
    if desk.keys.signed("login", form.get("csrf", ""), now=desk.clock()) is None:
        return _login_page(desk, "This page had expired. Please try again.")
    if not desk.is_secret(request, form.get("secret", "")):
        return _login_page(desk, "Wrong secret.")
    reply = RedirectResponse("/admin", 303)
    secure = desk.https or request.url.scheme == "https"
    reply.set_cookie(
        ADMIN, _login_token(desk), max_age=int(LONG), path="/admin", secure=secure, httponly=True, samesite="strict"
    )
    return reply


def _login_page(desk: Desk, problem: str = "") -> Response:
    csrf = desk.keys.sign("login", until=desk.clock() + LONG)
    return page("admin_login.html", http=401, csrf=csrf, problem=problem)


@router.get("/{study}/status")
def status(desk: AtDesk, token: Keeper, study: AtStudy) -> Response:
    """How a study stands, as a page."""
    name = study.study.name
    rows = [
        row | {"of": row["trials"], "started": _moment(row["started"]), "finished": _moment(row["finished"])}
        for row in desk.store.sessions(name)
    ]
    return page(
        "admin_status.html",
        study,
        csrf=_csrf(desk, token),
        status=desk.store.status(name, desk.clock()),
        sessions=rows,
        items=desk.store.exposure(name, desk.clock(), simulated=False),
    )


@router.get("/{study}/status.json")
def status_json(desk: AtDesk, token: Keeper, study: AtStudy) -> JSONResponse:
    """How a study stands, for programs."""
    name, now = study.study.name, desk.clock()
    return JSONResponse(desk.store.status(name, now) | {"items": desk.store.exposure(name, now, simulated=False)})


@router.get("/{study}/export.zip")
def export(desk: AtDesk, token: Keeper, study: AtStudy) -> Response:
    """All data, as `beholder study export` writes it."""
    from beholder.study.operations.export import archive, files, only

    name = study.study.name
    tables, _ = only(desk.store.tables(name))
    exposure = desk.store.exposure(name, desk.clock(), simulated=False)
    content = files(study.study, tables, exposure, media=study.folder)
    stamp = time.strftime("%Y%m%d", time.gmtime(desk.clock()))
    saved = {"content-disposition": f'attachment; filename="{name}-{stamp}.zip"'}
    return Response(archive(content, name), media_type="application/zip", headers=saved)


@router.post("/{study}/reject", dependencies=[Depends(changer)])
def reject(desk: AtDesk, study: AtStudy, form: Posted) -> Response:
    """A session that does not count: its items go to others, its answers are kept."""
    desk.store.reject(_own(desk, study.study.name, form), desk.clock())
    return RedirectResponse(f"/admin/{study.study.name}/status", 303)


@router.post("/{study}/delete", dependencies=[Depends(changer)])
def delete(desk: AtDesk, study: AtStudy, form: Posted) -> Response:
    """Delete all that is kept of a session."""
    desk.store.delete(_own(desk, study.study.name, form))
    return RedirectResponse(f"/admin/{study.study.name}/status", 303)


def _own(desk: Desk, study: str, form: dict[str, str]) -> str:
    """The session that a form names, if it is one of this study's."""
    identity = form.get("session", "")
    try:
        if desk.store.session(identity, desk.clock()).study == study:
            return identity
    except Unknown:
        pass
    told = f"the session {identity[:32]!r}" if identity else "no session"
    raise Unknown(f"got {told}, but {study} has none with that id; the status page lists its sessions")


def _moment(seconds: Any) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M") if seconds else ""
