"""Values as bytes that only this user can have written: a damaged or foreign one is missing, and never unpickled.

The key lies beside the cache, so that machines which share a cache share it, too. A spare one lies elsewhere: a cache
that was deleted gets the same key again, and what it has sealed stays readable.
"""

from __future__ import annotations

import contextlib
import functools
import hmac
import math
import os
import pickle
import secrets
import tempfile
import zlib
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from beholder.errors import Misuse
from beholder.io.names import special
from beholder.io.pickles import pickled
from beholder.store.bucket import bucket
from beholder.store.paths import cache_folder, spare_keys

SEAL = 32  # bytes of a seal and of the key
NAME = "key"  # its file in the cache
MISSING = object()
QUICKLY, WELL = 1, 6  # of 9: well takes several times as long and saves a few per cent
# Protocols of pickle (NumPy 2.4): 5 copies large arrays once less, 4 reads small ones in half the time and memory.
LARGE_ARRAYS, SMALL_ARRAYS = 5, 4
PROBE = 1 << 16  # bytes that are packed to see what packing saves
STALE = (zlib.error, pickle.UnpicklingError, AttributeError, ImportError, IndexError, TypeError, ValueError, EOFError)


def seal(value: Any, level: int = QUICKLY, *, most: float = math.inf, protocol: int = LARGE_ARRAYS) -> bytes:
    """A value as bytes, its seal first; packed quickly, or as well as can be; not if `most` bytes would be exceeded."""
    plain = pickled(value, protocol=protocol)
    body = zlib.compress(plain, level if len(plain) <= most or _packed_size(plain) <= most else 0)
    return _mark(body) + body


def _packed_size(plain: bytes) -> float:
    """About how many bytes something large has when it is packed, from its middle."""
    middle = plain[len(plain) // 2 :][:PROBE]
    return len(plain) * len(zlib.compress(middle, QUICKLY)) / len(middle)


def unseal(data: bytes) -> Any:
    """The value back, or MISSING where the seal is broken, or where our own code has changed too much to read it."""
    if not is_whole(data):
        return MISSING
    try:
        return pickle.loads(zlib.decompress(data[SEAL:]))
    except STALE:
        return MISSING


def is_whole(data: Any) -> bool:
    """Whether the seal is unbroken; what is inside is not looked at, which takes ten times as long."""
    # a ledger of somebody's may hold anything
    return isinstance(data, bytes) and hmac.compare_digest(data[:SEAL], _mark(data[SEAL:]))


class Key(NamedTuple):
    """What seals a cache."""

    secret: bytes
    kept: bool  # whether the next process will have it, too


def prepare_key() -> None:
    """Have the key at hand, or say why there is none: before a run, not in the midst of it."""
    file = cache_folder() / NAME
    try:
        if file.is_file():
            file.open("rb").close()
    except PermissionError:
        raise Misuse(
            f"cannot read {file}, the key of a cache that another account has made; "
            "let its owner give you the right to read it, or set BEHOLDER_CACHE to a folder of your own"
        ) from None
    _key(cache_folder())


def key_name() -> str:
    """What tells the cache's key from others, and does not give it away; nothing where it could not be kept."""
    found = _key(cache_folder())
    return _name(found.secret) if found.kept else ""


def spare_of(name: str) -> Path | None:
    """Where a former key of the cache lies, if it does; a ledger may name anything."""
    return next((file for file in spare_keys(cache_folder()).glob("*") if file.name == name), None)


def _mark(body: bytes) -> bytes:
    return blake2b(body, key=_key(cache_folder()).secret, digest_size=SEAL).digest()


@functools.cache
def _key(where: Path) -> Key:
    """What seals the cache: this folder's key, or, where the cache is at a URL, that of all who use it."""
    file, spares = where / NAME, spare_keys(where)
    own, shared = _keep(file, _latest(spares) or secrets.token_bytes(SEAL)), bucket()
    if shared:
        agreed = shared.agree(NAME, own)
        if len(agreed) != SEAL:
            raise Misuse(
                f"{shared.url}/{NAME}: got {len(agreed)} bytes; expected {SEAL}; remove it, and a new one is made"
            )
        own = _keep(file, agreed, instead=True)
    spare = spares / _name(own)
    _keep(spare, own)
    with contextlib.suppress(OSError):
        spare.touch()  # the latest one
    return Key(own, own in (_read(file), _read(spare)))


def _name(key: bytes) -> str:
    return blake2b(b"name", key=key, digest_size=8).hexdigest()


def _latest(spares: Path) -> bytes:
    """The key that a cache had last; nothing where none is known."""
    with contextlib.suppress(OSError):
        for file in sorted(spares.iterdir(), key=lambda one: one.lstat().st_mtime, reverse=True):
            if (found := _read(file)) and file.name == _name(found):
                return found
    return b""


def _read(file: Path) -> bytes:
    """A key; nothing where there is none that can be read, or a damaged one: an empty key would let anyone seal."""
    try:
        if special(file):  # a pipe never ends
            return b""
        with file.open("rb") as opened:
            found = opened.read(SEAL + 1)
    except OSError:
        return b""
    return found if len(found) == SEAL else b""


def _keep(file: Path, key: bytes, *, instead: bool = False) -> bytes:
    """Keep a key, `instead` of another one; else the one that is there. Where it cannot be kept it still seals."""
    if (there := _read(file)) and (there == key or not instead):
        return there
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.is_file() and not os.access(file, os.R_OK):
            return key  # another account's
        handle, draft = tempfile.mkstemp(dir=file.parent, prefix=".tmp-")  # only its owner may read it
        try:
            with os.fdopen(handle, "wb") as out:
                out.write(key)
            if instead or not _placed(draft, file):
                Path(draft).replace(file)
        finally:
            Path(draft).unlink(missing_ok=True)
    return _read(file) or key


def _placed(draft: str, file: Path) -> bool:
    """Whether a key is there now: the first of two writers wins. Not on a file system without links."""
    if not _read(file):
        file.unlink(missing_ok=True)  # damaged
    try:
        os.link(draft, file)
    except FileExistsError:
        pass
    except OSError:
        return False
    return True
