"""Values as bytes that only this user can have written: a damaged or foreign one is missing, and never unpickled.

The key is the user's own and lies beside the cache.
"""

from __future__ import annotations

import contextlib
import functools
import hmac
import os
import pickle
import secrets
import tempfile
import zlib
from hashlib import blake2b
from pathlib import Path
from typing import Any

from beholder.io.pickles import pickled
from beholder.store.paths import cache_folder

SEAL = 32  # bytes of a seal and of the key
MISSING = object()
QUICKLY, WELL = 1, 6  # of 9: well takes several times as long and saves a few per cent
STALE = (zlib.error, pickle.UnpicklingError, AttributeError, ImportError, IndexError, TypeError, ValueError, EOFError)


def seal(value: Any, level: int = QUICKLY) -> bytes:
    """A value as bytes, its seal first; packed quickly, or as well as can be."""
    body = zlib.compress(pickled(value), level)
    return _mark(body) + body


def unseal(data: bytes) -> Any:
    """The value back, or MISSING where the seal is broken, or where our own code has changed too much to read it."""
    if not isinstance(data, bytes):  # a ledger of somebody's may hold anything
        return MISSING
    mark, body = data[:SEAL], data[SEAL:]
    if not hmac.compare_digest(mark, _mark(body)):
        return MISSING
    try:
        return pickle.loads(zlib.decompress(body))
    except STALE:
        return MISSING


def _mark(body: bytes) -> bytes:
    return blake2b(body, key=_key(cache_folder()), digest_size=SEAL).digest()


@functools.cache
def _key(where: Path) -> bytes:
    """The user's secret, made at first use; one for this process only where the folder cannot be written."""
    file = where / "key"
    with contextlib.suppress(OSError):
        where.mkdir(parents=True, exist_ok=True)
        if file.exists() and file.stat().st_size != SEAL:
            file.unlink()  # damaged: an empty key would let anyone seal
        if not file.exists():
            handle, temporary = tempfile.mkstemp(dir=where, prefix=".tmp-")
            with os.fdopen(handle, "wb") as out:
                out.write(secrets.token_bytes(SEAL))
            with contextlib.suppress(FileExistsError):
                os.link(temporary, file)  # the first of two writers wins
            Path(temporary).unlink()
        return file.read_bytes()
    return secrets.token_bytes(SEAL)
