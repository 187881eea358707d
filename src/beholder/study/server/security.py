"""The secret and what is made with it: signed tokens, forms that cannot be forged, ids of people that nobody reads."""

from __future__ import annotations

import base64
import hashlib
import hmac
import ipaddress
import json
import os
import secrets
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from beholder.errors import Misuse

SHORTEST = 16  # bytes of a key


def make_id() -> str:
    """128 random bits."""
    return secrets.token_hex(16)


def make_token() -> str:
    """256 random bits, as they may stand in an address."""
    return secrets.token_urlsafe(32)


def same(one: str, other: str) -> bool:
    """Whether two secrets are the same, in a time that tells nothing of where they differ."""
    return hmac.compare_digest(one.encode("utf-8", "surrogatepass"), other.encode("utf-8", "surrogatepass"))


@dataclass(frozen=True)
class Keys:
    """The study key. Each purpose has a key of its own, so that what was made for one is worth nothing for another."""

    key: bytes = field(repr=False)

    def mac(self, purpose: str, *parts: str) -> bytes:
        """HMAC-SHA256 of the parts; where one ends and the next begins is part of it."""
        said = json.dumps(parts, ensure_ascii=True).encode()
        return hmac.digest(_derived(self.key, purpose), said, "sha256")

    def name(self, purpose: str, *parts: str) -> str:
        """The same as 43 characters that may stand in an address."""
        return _text(self.mac(purpose, *parts))

    def person(self, study: str, platform: str, raw: str) -> str:
        """Who somebody is, so that nobody without the key can find out."""
        return self.mac("person", study, platform, raw).hex()

    @property
    def fingerprint(self) -> str:
        """What tells this key from another one, and nothing else of it."""
        return self.mac("fingerprint").hex()[:16]

    def sign(self, purpose: str, *fields: str, until: float) -> str:
        """Fields that can be read by all and made only here, good until a time."""
        body = _text(json.dumps([*fields, int(until)], separators=(",", ":")).encode())
        return f"{body}.{self.name(purpose, body)}"

    def signed(self, purpose: str, token: str, *, now: float) -> tuple[str, ...] | None:
        """The fields of a token, or nothing if it was forged, changed, or made for something else, or is too old."""
        body, _, mark = token.partition(".")
        if not same(mark, self.name(purpose, body)):
            return None
        *fields, until = json.loads(_bytes(body))
        return tuple(fields) if now <= until else None

    def invite(self, study: str, number: int) -> str:
        """An invitation: whoever has it takes part once. Another number gives another person."""
        return f"{number}-{self.name('invite', study, str(number))[:27]}"

    def invited(self, study: str, invite: str) -> bool:
        """Whether an invitation was made here."""
        number, _, _ = invite.partition("-")
        return (
            number.isdecimal()
            and number.isascii()
            and len(number) < 10
            and same(invite, self.invite(study, int(number)))
        )


@lru_cache(maxsize=64)
def _derived(key: bytes, purpose: str) -> bytes:
    return hmac.digest(key, f"beholder study {purpose}".encode(), "sha256")


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def study_key(place: Path, *, begun: Callable[[], bool] = lambda: True) -> bytes:
    """The key: BEHOLDER_STUDY_KEY, else the file, which is made where there is none, for its owner's eyes only.

    `begun`: whether somebody may have taken part, so that no other key will do; asked where the key is too short.
    """
    given = os.environ.get("BEHOLDER_STUDY_KEY", "")
    if given:
        mend = f"set it to the whole key, or unset it: then the key in {place} is used"
        return _long_enough(given.encode(), "BEHOLDER_STUDY_KEY", mend)
    if not place.exists():
        _make_key(place)
    try:
        key = place.read_bytes().strip()
    except OSError as fault:
        raise Misuse(f"the study key cannot be read from {place}: {fault}") from fault
    short = len(key) < SHORTEST
    mend = "delete it for a new one: nobody has taken part yet" if short and not begun() else "put the right one back"
    return _long_enough(key, str(place), mend)


def key_place(url: str, folder: Path) -> Path:
    """Where the key of a database stands: beside its file; for PostgreSQL, in the study's folder."""
    if url.startswith(("postgresql://", "postgres://")):
        return folder / "study.key"
    path = Path(url.removeprefix("sqlite:///"))
    return path.with_name(path.name + ".key")


def _make_key(place: Path) -> None:
    """Whole or not at all: of several processes that begin together, the first one's key is everybody's."""
    place.parent.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=place.parent, prefix=".key")  # mode 0600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(secrets.token_hex(32).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        os.link(draft, place)
    except FileExistsError:
        pass
    finally:
        Path(draft).unlink()


def _long_enough(key: bytes, where: str, mend: str) -> bytes:
    if len(key) < SHORTEST:
        raise Misuse(f"{where}: got a key of {len(key)} bytes; expected {SHORTEST} or more; {mend}")
    return hashlib.sha256(key).digest()


class Buckets:
    """How much each may ask: a bucket of `burst` that fills at `rate` a second. Held in memory, and forgotten."""

    MOST = 10_000  # names that are remembered

    def __init__(self, burst: float, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.burst, self.rate, self._clock = burst, rate, clock
        self._left: dict[str, tuple[float, float]] = {}
        self._lock = threading.Lock()

    def take(self, name: str) -> bool:
        """Whether one more may be taken; if so, it is."""
        now = self._clock()
        with self._lock:
            left, at = self._left.pop(name, (self.burst, now))
            left = min(self.burst, left + (now - at) * self.rate)
            self._left[name] = (max(0.0, left - 1), now)
            self._forget(now)
            return left >= 1

    def spent(self, name: str) -> bool:
        """Whether nothing can be taken now; nothing is."""
        now = self._clock()
        with self._lock:
            left, at = self._left.get(name, (self.burst, now))
            return left + (now - at) * self.rate < 1

    def _forget(self, now: float) -> None:
        """A bucket that is full again is as good as none; the one that was asked for longest ago is the first."""
        while self._left:
            name, (_, at) = next(iter(self._left.items()))
            if len(self._left) <= self.MOST and now - at < self.burst / self.rate:
                return
            del self._left[name]


class Addresses:
    """Who asks from where, as a keyed hash: the key is made anew with every process, and no address is kept."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)

    def name(self, host: str) -> str:
        """What stands for an address; of IPv6, for the network of one customer (/64)."""
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            known = host
        else:
            known = str(ipaddress.ip_network((address, 64), strict=False) if address.version == 6 else address)
        return hashlib.blake2b(known.encode(), key=self._key, digest_size=16).hexdigest()


def hidden(url: str) -> str:
    """An address without its password.

    >>> hidden("postgresql://me:word@host/db")
    'postgresql://me:***@host/db'
    """
    head, at, tail = url.rpartition("@")
    scheme, slashes, user = head.partition("://")
    name, colon, _ = user.partition(":")
    return f"{scheme}{slashes}{name}{':***' if colon else ''}@{tail}" if at and slashes else url
