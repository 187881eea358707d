"""Fetching one file: streamed to disk, resumed where it was cut off, tried again where the host is busy."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from beholder.errors import Misuse
from beholder.io.atomic import FULL, disk_full, write_whole

if TYPE_CHECKING:
    import httpx

TRIES = 5
PAUSES = (1.0, 2.0, 4.0, 8.0)  # seconds before another try
PATIENCE = 20.0  # seconds without a byte before a connection is given up; a host may pack an archive for ten
SLOWEST = 1000  # bytes per second over that time: a host that sends fewer has stalled; a modem sent 7000
MUTE = 2  # tries in a row that brought nothing after which a host is not waited for again
LARGEST = 8 << 30  # bytes: more than any archive that a record names
LATER = (408, 425, 429, 500, 502, 503, 504)  # answers that may change

Watching = Callable[[int, int | None], None]  # (bytes so far, bytes in all if the host says so)


class Draft(NamedTuple):
    """A file that is not whole yet, and what tells whether the host still offers the same one."""

    file: Path
    tag: Path

    @classmethod
    def of(cls, target: Path) -> Draft:
        """The draft of a file."""
        return cls(target.with_name(f"{target.name}.part"), target.with_name(f"{target.name}.part.json"))

    @property
    def size(self) -> int:
        """The bytes that are there."""
        return self.file.stat().st_size if self.file.exists() else 0

    @property
    def mark(self) -> str:
        """The host's own mark of what the draft is a part of; nothing where it gave none."""
        try:
            return str(json.loads(self.tag.read_text("utf-8"))["etag"])
        except (OSError, ValueError, KeyError, TypeError):
            return ""

    def drop(self) -> None:
        """Begin anew."""
        self.file.unlink(missing_ok=True)
        self.tag.unlink(missing_ok=True)


class Again(Exception):
    """It may work if it is tried once more."""


class Slow(Again):
    """So little comes that the end is not worth waiting for."""


def download(
    url: str, target: Path, *, watch: Watching, sleep: Callable[[float], None] = time.sleep, largest: int = LARGEST
) -> None:
    """Fetch a file; what was cut off before is resumed if the host still offers the same one. `Misuse` if it fails."""
    import httpx

    draft = Draft.of(target)
    last, mute, tries = "", 0, 0
    for tries, pause in enumerate((*PAUSES, None)[:TRIES], 1):  # noqa: B007  (how many there were is said)
        held = draft.size
        try:
            with _client() as client:
                _receive(client, url, draft, watch, largest)
            draft.file.replace(target)
            draft.drop()
            return
        except (Again, httpx.TransportError) as fault:
            last = _plain(fault)
            silent = isinstance(fault, Slow) or (isinstance(fault, httpx.TimeoutException) and draft.size <= held)
            mute = mute + 1 if silent else 0
        if mute == MUTE:
            break
        if pause is not None:
            sleep(pause)
    raise Misuse(f"{url} could not be fetched in {tries} tries: {last}; the same command goes on where it was")


@contextmanager
def _client() -> Iterator[httpx.Client]:
    import httpx

    with httpx.Client(follow_redirects=True, timeout=PATIENCE, max_redirects=5) as client:  # proxies as the shell says
        yield client


def _receive(client: httpx.Client, url: str, draft: Draft, watch: Watching, largest: int) -> None:
    """Receive what is missing of a draft."""
    import httpx

    held, mark = draft.size, draft.mark
    headers = {"Accept-Encoding": "identity"}
    if held and mark:
        headers |= {"Range": f"bytes={held}-", "If-Range": mark}
    try:
        with client.stream("GET", url, headers=headers) as answer:
            _refuse(answer, url)
            if answer.status_code != 206:
                held = 0
            _write(answer, draft, held, watch, largest)
    except httpx.TooManyRedirects:
        raise Misuse(f"{url} leads from address to address without end; try again later") from None
    except OSError as fault:
        raise (disk_full(draft.file.parent) if fault.errno in FULL else fault) from None


def _refuse(answer: httpx.Response, url: str) -> None:
    """Refuse an answer that is not the file."""
    code = answer.status_code
    if code in LATER:
        raise Again(f"the host answered {code} ({answer.reason_phrase})")
    if code == 416:
        raise Again("the host has another file by now")
    if code >= 400:
        raise Misuse(f"{url} cannot be had: the host answered {code} ({answer.reason_phrase})")
    if url.startswith("https://") and answer.url.scheme != "https":
        raise Misuse(f"{url} leads to {answer.url.host} without encryption; this is not followed")


def _write(answer: httpx.Response, draft: Draft, held: int, watch: Watching, largest: int) -> None:
    """Write what comes behind what is held; a file that ends too early is resumed with the next try."""
    length = answer.headers.get("Content-Length")
    total = held + int(length) if length and length.isdigit() else None
    if total is not None and total > largest:
        raise Misuse(f"the host offers {total / 1e9:.2g} GB; expected at most {largest / 1e9:.2g} GB")
    write_whole(draft.tag, json.dumps({"etag": answer.headers.get("ETag", "")}))
    with draft.file.open("r+b" if held else "wb") as file:
        file.seek(held)
        since, before = time.monotonic(), held
        for piece in answer.iter_raw():
            file.write(piece)
            held += len(piece)
            if held > largest:
                draft.drop()
                raise Misuse(
                    f"the host sends more than {largest / 1e9:.2g} GB, too much for this dataset; it was stopped"
                )
            if (now := time.monotonic()) - since >= PATIENCE:
                if held - before < SLOWEST * PATIENCE:
                    raise Slow(f"the host sent only {held - before:,} bytes in {now - since:.0f} s")
                since, before = now, held
            watch(held, total)
        file.truncate()
    if total is not None and held != total:
        raise Again(f"{held:,} of {total:,} bytes came")


def _plain(fault: Exception) -> str:
    import httpx

    if isinstance(fault, httpx.ConnectError):
        return "the host cannot be reached (is there a network? are HTTPS_PROXY and NO_PROXY right?)"
    if isinstance(fault, httpx.TimeoutException):
        return f"the host sent nothing for {PATIENCE:.0f} s"
    return str(fault) or type(fault).__name__
