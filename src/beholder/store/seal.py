"""Values as bytes that only this user can have written: a damaged or foreign one is missing, and never unpickled.

The key lies beside the cache, so that machines which share a cache share it, too. It follows from a secret of the
user's that lies elsewhere: a cache that was deleted gets the same key again, and what it has sealed stays readable.
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
from collections.abc import Callable
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

from beholder.errors import Misuse
from beholder.io.atomic import write_whole
from beholder.io.pickles import pickled
from beholder.store.bucket import bucket
from beholder.store.paths import cache_folder, secret_file

SEAL = 32  # bytes of a seal and of the key
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


def prepare_key() -> None:
    """Have the key at hand, or say why there is none: before a run, not in the midst of it."""
    _key(cache_folder())


def _mark(body: bytes) -> bytes:
    return blake2b(body, key=_key(cache_folder()), digest_size=SEAL).digest()


@functools.cache
def _key(where: Path) -> bytes:
    """What seals the cache: this folder's key, or, where the cache is at a URL, that of all who use it."""
    own = _kept(where / "key", lambda: _derived(where))
    shared = bucket()
    if shared is None:
        return own
    agreed = shared.agree("key", own)
    if len(agreed) != SEAL:
        raise Misuse(f"{shared.url}/key: got {len(agreed)} bytes; expected {SEAL}; remove it, and a new one is made")
    if agreed != own:
        with contextlib.suppress(OSError):
            write_whole(where / "key", agreed)
    return agreed


def _derived(where: Path) -> bytes:
    """The key of a cache folder: another one for each, for whoever shares a folder knows its key."""
    secret = _kept(secret_file(), partial(secrets.token_bytes, SEAL))
    return blake2b(os.fsencode(where.absolute()), key=secret, digest_size=SEAL).digest()


def _kept(file: Path, make: Callable[[], bytes]) -> bytes:
    """What is kept in a file, made at first use; for this process only where the folder cannot be written."""
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.exists() and file.stat().st_size != SEAL:
            file.unlink()  # damaged: an empty key would let anyone seal
        if not file.exists():
            handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=".tmp-")  # only its owner may read it
            with os.fdopen(handle, "wb") as out:
                out.write(make())
            with contextlib.suppress(FileExistsError):
                os.link(temporary, file)  # the first of two writers wins
            Path(temporary).unlink()
        return file.read_bytes()
    return make()
