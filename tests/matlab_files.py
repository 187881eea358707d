"""MATLAB files for tests: cells, and a containers.Map, which SciPy cannot write."""

import io
import struct
from pathlib import Path

import numpy as np
from scipy.io import savemat


def cell(*values):
    """A cell array of one column."""
    held = np.empty((len(values), 1), object)
    for at, value in enumerate(values):
        held[at, 0] = value
    return held


def mat(file, **variables):
    file.parent.mkdir(parents=True, exist_ok=True)
    savemat(file, variables)


def map_file(file: Path, keys, values) -> Path:
    """A MATLAB 5 file that holds one containers.Map, as MATLAB lays it out: an opaque variable and its subsystem."""
    held = {
        "keys": cell(*keys).T,
        "values": cell(*values).T,
        "uniformity": False,
        "keyType": "char",
        "valueType": "any",
    }
    inside = _nameless(_elements(cell(np.arange(40, dtype=np.uint8), np.zeros((0, 0)), held)))
    wrapper = _opaque("", "FileWrapper__", inside)
    flags, dims = _element(6, struct.pack("<II", 2, 0)), _element(5, struct.pack("<ii", 1, 1))
    fields = struct.pack("<HHi", 5, 4, 8) + _element(1, b"MCOS".ljust(8, b"\0"))
    system = _element(14, flags + dims + struct.pack("<II", 1, 0) + fields + wrapper)
    system = struct.pack("<H", 0x0100) + b"IM" + bytes(4) + system
    subsystem = _nameless(_elements(np.frombuffer(system, np.uint8)[None]))
    number = np.array([[0xDD000000], [2], [1], [1], [1], [1]], np.uint32)
    variable = _opaque("allFixData", "containers.Map", _nameless(_elements(number)))
    head = (
        b"MATLAB 5.0 MAT-file".ljust(116) + struct.pack("<q", 128 + len(variable)) + struct.pack("<H", 0x0100) + b"IM"
    )
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(head + variable + subsystem)
    return file


def _elements(value):
    file = io.BytesIO()
    savemat(file, {"x": value}, format="5")
    return file.getvalue()[128:]


def _element(kind, data):
    return struct.pack("<II", kind, len(data)) + data + bytes(-len(data) % 8)


def _opaque(name, kind, inside):
    flags = _element(6, struct.pack("<II", 17, 0))
    words = b"".join(_element(1, word.encode()) for word in (name, "MCOS", kind))
    return _element(14, flags + words + inside)


def _nameless(raw):
    """The element of a variable called x, without its name."""
    inside = raw[8 : 8 + struct.unpack("<I", raw[4:8])[0]]
    length = struct.unpack("<I", inside[20:24])[0]
    after = 24 + length + -length % 8
    return _element(14, inside[:after] + struct.pack("<II", 1, 0) + inside[after + 8 :])
