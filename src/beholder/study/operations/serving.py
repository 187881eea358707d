"""Serving studies: everything is checked first, then it is said where people go, and where answers are kept."""

from __future__ import annotations

import errno
import ipaddress
import os
import socket
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from beholder.engines.progress import Watch
from beholder.errors import Misuse
from beholder.study.operations.check import check, refuse
from beholder.study.operations.opening import connected
from beholder.study.operations.place import KEY, SECRET, Place, Secrets, database, is_file, places
from beholder.study.operations.private import seen_by_others
from beholder.study.server.security import hidden


def serve(
    words: Sequence[str],
    db: str = "",
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    workers: int = 1,
    public_url: str = "",
    watch: Watch,
) -> None:
    """Check the studies, say where they are, and serve them until somebody stops it."""
    from beholder.study.server.serve import serve as run

    studies = places(list(words))
    _refuse_address(host, port, public_url)
    url = database(db, studies[0])
    secrets = _refuse_faults(studies, url, public=bool(public_url) or not _own(host), watch=watch)
    for sentence in greeting(studies, url, secrets, public_url or _address(host, port)):
        watch.say(sentence)
    run(
        [one.file for one in studies], db=url, host=host, port=port, workers=workers, secret=secrets.admin,
        address=public_url,
    )  # fmt: skip


def _refuse_faults(studies: Sequence[Place], url: str, *, public: bool, watch: Watch) -> Secrets:
    with connected(url, studies[0], make=True) as it:
        loose = seen_by_others(it.secrets.file, *([Path(url)] if is_file(url) else []))
        if loose:
            watch.say(f"note: {loose}")
        for one in studies:
            found = check(one, it.store, public=public)
            refuse(one, found)
            for finding in found:
                watch.say(f"note: {one.study.name}: {finding.says}")
        return it.secrets


def _refuse_address(host: str, port: int, public_url: str) -> None:
    """Whether the address can be taken, and the public one be reached in a browser."""
    parts = urlsplit(public_url)
    if public_url and (parts.scheme not in ("http", "https") or not parts.netloc or parts.path.strip("/")):
        raise Misuse(f"got --public-url {public_url}; expected an address such as https://study.example.org")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except (OSError, OverflowError, UnicodeError) as fault:
        raise Misuse(f"got --host {host} --port {port}; {_why_not(fault)}") from None


def _why_not(fault: Exception) -> str:
    """Why an address cannot be taken, and what to do."""
    number = fault.errno if isinstance(fault, OSError) else None
    if isinstance(fault, OverflowError):
        return "expected a port from 1 to 65535"
    if number == errno.EADDRINUSE:
        return "another program uses this port; choose another port, or stop that program"
    if number in (errno.EACCES, errno.EPERM):
        return "ports below 1024 need special rights; choose another port, such as 8000"
    if isinstance(fault, socket.gaierror | UnicodeError) or number == errno.EADDRNOTAVAIL:
        return (
            "this machine has no such address; expected 127.0.0.1 (this machine only), 0.0.0.0 (all), or one of its own"
        )
    return f"the address cannot be used: {fault}"


def _own(host: str) -> bool:
    """Whether only this machine can reach it."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _address(host: str, port: int) -> str:
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{port}"


def greeting(studies: Sequence[Place], url: str, secrets: Secrets, address: str) -> list[str]:
    """What whoever starts a server must know."""
    base = address.rstrip("/")
    key = KEY if os.environ.get(KEY) else str(secrets.file)
    word = f"the word in {SECRET}" if os.environ.get(SECRET) else secrets.admin
    lines = [f"{one.study.title}: {base}/s/{one.study.name}/" for one in studies]
    return [
        *lines,
        f"answers are kept in {hidden(url)}, and the key that links them to people in {key}: back up both, in "
        "separate places",
        f"admin pages: {base}/admin, secret: {word}",
        "stop with Ctrl-C; the same command continues the study",
    ]
