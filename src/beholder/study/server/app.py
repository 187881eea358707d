"""The web application: studies, a store and secrets in, an ASGI application out."""

from __future__ import annotations

import math
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path

from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from sqlalchemy.exc import InterfaceError, OperationalError, SQLAlchemyError, TimeoutError
from starlette.exceptions import HTTPException

from beholder.errors import Misuse
from beholder.study.server import admin, api, pages
from beholder.study.server.database import Full
from beholder.study.server.desk import PAUSED, Desk, message
from beholder.study.server.guard import Guard
from beholder.study.server.pulse import LOG, Pulse
from beholder.study.server.security import Buckets
from beholder.study.server.showing import Served
from beholder.study.server.store import Store
from beholder.study.server.visits import Refused

BURST, RATE = 120.0, 20.0  # requests of one session: at once, and a second
DOORS = 120.0, 1.0  # new visits from one address: at once, and a second; a class behind one address fits in
TITLES = {
    401: "Not found", 403: "This is not possible", 404: "Nothing here", 410: "This is over", 429: "Too fast",
    503: "The study is paused", 507: "The study is paused",
}  # fmt: skip
BUSY = "Your answer could not be stored just now. Nothing is lost: please try again in a moment."


def create(
    studies: Iterable[Served],
    store: Store,
    *,
    secret: str = "",
    address: str = "",
    clock: Callable[[], float] = time.time,
    limit: tuple[float, float] = (BURST, RATE),
    doors: tuple[float, float] = DOORS,
) -> FastAPI:
    """The application. `secret` opens the admin pages (none: they stay shut); `address` is what participants type.

    Every picture, film and track is looked at now, so that what is missing stops the server and not a participant.
    """
    served = {one.study.name: one for one in studies}
    if not served:
        raise Misuse("got no study to serve; expected one or more study files")
    for one in served.values():
        store.open_study(one.study, clock(), one.lengths)
        one.largest  # noqa: B018  reads all that is shown

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        yield
        store.close()

    app = FastAPI(
        title="Beholder study", version=version("beholder"), docs_url=None, redoc_url=None, openapi_url=None,
        lifespan=life,
    )  # fmt: skip
    app.state.desk = Desk(
        served, store, secret, clock, https=address.startswith("https://"), sessions=Buckets(*limit),
        doors=Buckets(*doors), pulse=Pulse(store.round_trip),
    )  # fmt: skip
    app.add_middleware(Guard, address=address)
    app.mount("/static", StaticFiles(directory=Path(__file__).parent / "static"), name="static")
    for router in (api.router, admin.router, pages.router):
        app.include_router(router)
    app.add_api_route(
        "/openapi.json", described, methods=["GET"], include_in_schema=False, dependencies=[Depends(admin.keeper)]
    )
    app.add_api_route("/health", health, methods=["GET"])
    _handle_faults(app)
    return app


def described(request: Request) -> JSONResponse:
    """What can be asked and sent, as OpenAPI; for anyone who has the secret."""
    return JSONResponse(request.app.openapi())


def health(request: Request) -> JSONResponse:
    """Whether answers can be stored: something is written to the database, at most once in some seconds."""
    well = request.app.state.desk.pulse.beats()
    return JSONResponse({"ok": True} if well else {"ok": False, "error": PAUSED}, 200 if well else 503)


def _handle_faults(app: FastAPI) -> None:
    """Every fault is a sentence: JSON for scripts, a page for people."""

    @app.exception_handler(Refused)
    def refused(request: Request, fault: Refused) -> Response:
        after = {"retry-after": str(math.ceil(fault.after))} if fault.after else {}
        return _say(request, fault.status, str(fault), after)

    @app.exception_handler(Full)
    def full(request: Request, fault: Full) -> Response:
        request.app.state.desk.pulse.failed(fault)
        return _say(request, 507, BUSY if _for_scripts(request) else PAUSED)

    @app.exception_handler(SQLAlchemyError)
    def broken(request: Request, fault: SQLAlchemyError) -> Response:
        if isinstance(fault, OperationalError | InterfaceError | TimeoutError):  # the database, and not this request
            request.app.state.desk.pulse.failed(fault)
        else:
            LOG.error("beholder study: %s", " ".join(str(getattr(fault, "orig", None) or fault).split())[:300])
        return _say(request, 503, BUSY if _for_scripts(request) else PAUSED)

    @app.exception_handler(RequestValidationError)
    def unfit(request: Request, fault: RequestValidationError) -> Response:
        if any(error["loc"][0] == "path" for error in fault.errors()):
            return _say(request, 404, "there is nothing at this address")
        first = fault.errors()[0]
        if first["type"] == "json_invalid" or len(first["loc"]) < 2:
            return _say(request, 422, "got a body that is not a JSON object; expected one, as sent by the page")
        where = ".".join(str(part) for part in first["loc"][1:])
        return _say(request, 422, f"{where}: {first['msg']}")

    @app.exception_handler(HTTPException)
    def other(request: Request, fault: HTTPException) -> Response:
        return _say(request, fault.status_code, str(fault.detail), dict(fault.headers or {}))


def _for_scripts(request: Request) -> bool:
    path: str = request.scope["path"]
    return "/api/" in path or path.endswith(".json") or path == "/health"


def _say(request: Request, status: int, sentence: str, headers: dict[str, str] | None = None) -> Response:
    more = dict(headers or {})
    if status in (429, 503, 507):
        more.setdefault("retry-after", "2")
    if _for_scripts(request):
        return JSONResponse({"error": sentence}, status, more)
    said = message(TITLES.get(status, "This did not work"), sentence, status=status)
    said.headers.update(more)
    return said
