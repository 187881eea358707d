"""What all routes share: the studies, the store, the keys, who asks, and how pages are made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import parse_qsl

from fastapi import Depends, Request
from fastapi import Path as InPath
from fastapi.responses import HTMLResponse

from beholder.errors import printable
from beholder.study.server.guard import content_policy
from beholder.study.server.pulse import Pulse
from beholder.study.server.security import Addresses, Buckets, Keys, same
from beholder.study.server.showing import Served
from beholder.study.server.store import Store
from beholder.study.server.visits import Refused, Session, Unknown

COOKIE, VISIT, ADMIN = "beholder_session", "beholder_visit", "beholder_admin"
SPARE = 7 * 24 * 3600.0  # seconds for which a cookie outlives the resume window: the store says when a session is over
PAUSED = "Answers cannot be stored at the moment. Please come back later: your place is kept, and nothing is lost."
EVERYBODY = "everybody"
FORM = "application/x-www-form-urlencoded"


class Unsigned(Refused):
    """Nobody that is known here."""

    status = 401


class Forbidden(Refused):
    """A form that was not made for the one who sends it."""

    status = 403


class Unreadable(Refused):
    """A body of another kind."""

    status = 415


class Flood(Refused):
    """Too much at once."""

    status = 429


@dataclass
class Desk:
    """The parts of a running server."""

    served: Mapping[str, Served]
    store: Store
    secret: str
    clock: Callable[[], float]
    https: bool
    sessions: Buckets
    doors: Buckets
    pulse: Pulse
    logins: Buckets = field(default_factory=lambda: Buckets(burst=10, rate=0.2))
    guesses: Buckets = field(default_factory=lambda: Buckets(burst=30, rate=0.5))  # of everybody together
    addresses: Addresses = field(default_factory=Addresses)

    @property
    def keys(self) -> Keys:
        """The study key."""
        return self.store.keys

    def study(self, name: str) -> Served:
        """A study that is served here."""
        if name not in self.served:
            raise Unknown("there is no such study here; please check your link")
        return self.served[name]

    def csrf(self, session: Session) -> str:
        """What a form of this session must hold."""
        return self.keys.name("csrf", session.id)

    def place(self, request: Request) -> str:
        """What stands for the address of who asks.

        uvicorn takes it from a proxy's header only if the proxy is on this machine; for another one, say its address in
        FORWARDED_ALLOW_IPS, or all who come through it count as one.
        """
        return self.addresses.name(request.client.host if request.client else "")

    def is_secret(self, request: Request, word: str) -> bool:
        """Whether the admin secret is right. Who guesses is made to wait, and meanwhile even the right one is refused.

        Otherwise a program would go on guessing, and know by the first other reply that it had found it. Addresses can
        be made up behind some proxies, so all guesses count together as well; a login that was made before goes on.
        """
        place = self.place(request)
        if self.logins.spent(place) or self.guesses.spent(EVERYBODY):
            raise Flood("too many wrong attempts; please wait a while", 60)
        if self.secret and same(word, self.secret):
            return True
        self.logins.take(place)
        self.guesses.take(EVERYBODY)
        return False


@dataclass(frozen=True)
class Holder:
    """Somebody with a token that was made here; whether their session goes on, the store knows."""

    session: str
    bearer: str = ""
    extra: tuple[str, ...] = ()


@dataclass(frozen=True)
class Visitor:
    """Somebody with a session, and how they said so."""

    session: Session
    bearer: str = ""  # inside MTurk's frame
    extra: tuple[str, ...] = ()  # MTurk: the assignment, and where it goes back to


# What only computes is async: FastAPI would send anything else to a thread. What asks the store is not.


async def desk_of(request: Request) -> Desk:
    """The desk of the application that was asked."""
    found: Desk = request.app.state.desk
    return found


AtDesk = Annotated[Desk, Depends(desk_of)]
StudyName = Annotated[str, InPath(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$", max_length=64)]


async def served_study(desk: AtDesk, study: StudyName) -> Served:
    """The study in the address."""
    return desk.study(study)


AtStudy = Annotated[Served, Depends(served_study)]


async def posted(request: Request) -> dict[str, str]:
    """The fields of a form."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    body = await request.body()
    if body and kind != FORM:
        raise Unreadable(f"got a body of another kind; expected {FORM}")
    try:
        pairs = parse_qsl(body.decode("ascii"), keep_blank_values=True, max_num_fields=100, errors="replace")
    except ValueError as fault:
        raise Unreadable("the form cannot be read; please reload the page") from fault
    return {name: printable(value, keep="\n\r\t") for name, value in pairs}


Posted = Annotated[dict[str, str], Depends(posted)]


def known(desk: Desk, study: str, token: str) -> tuple[str, ...] | None:
    """Whose token it is: the session's id, and what it carries."""
    fields = desk.keys.signed("session", token, now=desk.clock())
    return fields[1:] if fields and fields[0] == study else None


def session_token(desk: Desk, session: Session, *extra: str) -> str:
    """A token for a cookie, or for someone who has none."""
    hours = desk.study(session.study).study.resume_hours
    return desk.keys.sign("session", session.study, session.id, *extra, until=desk.clock() + hours * 3600 + SPARE)


def holder_of(desk: Desk, study: str, *, cookie: str, bearer: str) -> Holder:
    """Who asks. A token that was carried along goes before the cookie."""
    fields = known(desk, study, bearer or cookie)
    if fields is None:
        raise Unsigned("We do not recognise this browser. Please open your link again.")
    if not desk.sessions.take(fields[0]):
        raise Flood("too many requests at once; please wait a moment")
    return Holder(fields[0], bearer, fields[1:])


async def holder(request: Request, desk: AtDesk, study: AtStudy, t: str = "") -> Holder:
    """Who asks for a page, for a trial or for media, by what they hold."""
    scheme, _, carried = request.headers.get("authorization", "").partition(" ")
    bearer = carried.strip() if scheme.lower() == "bearer" else t
    return holder_of(desk, study.study.name, cookie=request.cookies.get(COOKIE, ""), bearer=bearer)


def visitor(desk: AtDesk, held: Annotated[Holder, Depends(holder)]) -> Visitor:
    """The same, with their session."""
    return Visitor(desk.store.session(held.session, desk.clock()), held.bearer, held.extra)


def sender(request: Request, desk: AtDesk, study: AtStudy, form: Posted) -> Visitor:
    """Who sends a form: it must have been made for this very session."""
    cookie, bearer = request.cookies.get(COOKIE, ""), form.get("bearer", "")
    found = visitor(desk, holder_of(desk, study.study.name, cookie=cookie, bearer=bearer))
    if not same(form.get("csrf", ""), desk.csrf(found.session)):
        raise Forbidden("This form has expired or belongs to somebody else. Please reload the page.")
    return found


Held = Annotated[Holder, Depends(holder)]
Asker = Annotated[Visitor, Depends(visitor)]
Sender = Annotated[Visitor, Depends(sender)]


@lru_cache(maxsize=1)
def _templates() -> Any:
    import jinja2

    folder = Path(__file__).parent / "templates"
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True
    )
    made.filters["paragraphs"] = lambda text: [part.strip() for part in str(text).split("\n\n") if part.strip()]
    return made


def page(
    name: str, served: Served | None = None, visitor: Visitor | None = None, *, http: int = 200, **variables: Any
) -> HTMLResponse:
    """A page from its template. It is given the study's name, title and contact, and nothing else of it."""
    about = None
    if served is not None:
        study = served.study
        about = {"name": study.name, "title": study.title, "contact": study.consent.contact}
    shared = {
        "study": about,
        "base": f"/s/{served.study.name}" if served else "",
        "static": "/static",
        "csrf": "",
        "bearer": visitor.bearer if visitor else "",
    }
    text = _templates().get_template(name).render(**shared | variables)
    framed = served is not None and served.study.platform == "mturk"
    return HTMLResponse(text, http, {"content-security-policy": content_policy(framed=True)} if framed else None)


def message(title: str, sentence: str, *, served: Served | None = None, status: int = 200) -> HTMLResponse:
    """A page with one thing to say."""
    return page("message.html", served, http=status, title=title, sentence=sentence)
