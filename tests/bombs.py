"""Files that are small on the disk and huge when they are read: one maker for each format."""

import io
import struct
import zipfile
import zlib

import numpy as np

SIDE = 27386  # px: 3 GB of float32
MB = 1 << 20


def zeros(count):
    """About so many zeros, deflated without a head: one packed block again and again."""
    packer = zlib.compressobj(9, wbits=-15)
    block = packer.compress(bytes(MB)) + packer.flush(zlib.Z_FULL_FLUSH)
    return block * (count // MB) + packer.compress(bytes(count % MB)) + packer.flush()


def deflated(start, count):
    """A zlib stream of some bytes and so many zeros."""
    packer = zlib.compressobj(9, wbits=-15)
    head = packer.compress(start) + packer.flush(zlib.Z_FULL_FLUSH)
    one = zlib.adler32(start)
    low, high = one & 0xFFFF, ((one >> 16) + count * (one & 0xFFFF)) % 65521
    return b"\x78\xda" + head + zeros(count) + struct.pack(">I", high << 16 | low)


def sparse(path, head, count):
    """A file of some bytes and so many zeros that take no room on the disk."""
    with path.open("wb") as file:
        file.write(head)
        file.truncate(len(head) + count)


def array_head(shape=(SIDE, SIDE), kind="<f4"):
    out = io.BytesIO()
    np.lib.format.write_array_header_1_0(out, {"descr": kind, "fortran_order": False, "shape": shape})
    return out.getvalue()


def archive(path, members):
    """An archive of members that are given by name, as (first bytes, zeros after them)."""
    out, entries = io.BytesIO(), []
    for name, (start, count) in members.items():
        packer = zlib.compressobj(9, wbits=-15)
        data = packer.compress(start) + packer.flush(zlib.Z_FULL_FLUSH) + zeros(count)
        facts = struct.pack("<5H3I2H", 20, 0, 8, 0, 0, 0, len(data), len(start) + count, len(name), 0)
        entries.append((facts, out.tell(), name))
        out.write(b"PK\x03\x04" + facts + name.encode() + data)
    first = out.tell()
    for facts, at, name in entries:
        out.write(b"PK\x01\x02\x14\x00" + facts + struct.pack("<3H2I", 0, 0, 0, 0, at) + name.encode())
    size = out.tell() - first
    out.write(b"PK\x05\x06" + struct.pack("<4H2IH", 0, 0, len(entries), len(entries), size, first, 0))
    path.write_bytes(out.getvalue())


def npz(path):
    archive(path, {"disparity.npy": (array_head(), 4 * SIDE * SIDE)})


def npz_of_many(path):
    """Arrays each of which would do."""
    archive(path, {f"{at}.npy": (array_head((2000, 2000)), 4 * 2000 * 2000) for at in range(100)})


def npz_of_a_header(path):
    """An array whose header alone is 2 GB: NumPy reads it whole."""
    archive(path, {"a.npy": (b"\x93NUMPY\x02\x00" + struct.pack("<I", 2 << 30), 2 << 30)})


def npz_of_no_array(path):
    archive(path, {"notes": (b"notes", 3 << 30)})


def npz_of_a_million(path):
    """A list of members that takes a gigabyte when it is read."""
    entry = b"PK\x01\x02\x14\x00" + struct.pack("<5H3I2H", 20, 0, 0, 0, 0, 0, 0, 0, 1, 0) + bytes(14) + b"a"
    size = 1_000_000 * len(entry)
    path.write_bytes(b"PK\x03\x04" + entry * 1_000_000 + b"PK\x05\x06" + struct.pack("<4H2IH", 0, 0, 1, 1, size, 4, 0))


def npz_of_bzip2(path):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_BZIP2) as out, out.open("a.npy", "w") as file:
        file.write(array_head())
        for _ in range(50):
            file.write(bytes(MB))


def npy(path):
    sparse(path, array_head(), 4 * SIDE * SIDE)


def pfm(path):
    sparse(path, f"Pf\n{SIDE} {SIDE}\n-1\n".encode(), 4 * SIDE * SIDE)


def flo(path):
    sparse(path, b"PIEH" + struct.pack("<2i", SIDE, SIDE), 8 * SIDE * SIDE)


def png(path, depth=16, colour=0, side=13000, channels=1):
    row = 1 + side * channels * depth // 8
    parts = {
        b"IHDR": struct.pack(">2I5B", side, side, depth, colour, 0, 0, 0),
        b"IDAT": deflated(b"", row * side),
        b"IEND": b"",
    }
    chunks = (
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts.items()
    )
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(chunks))


def png_of_flow(path):
    png(path, colour=2, side=9000, channels=3)


def mat(path, side=15000, cell=False):
    """A compressed variable of version 7, in a cell where that is asked for."""

    def head(kind, rows, columns):
        return struct.pack("<10I", 6, 8, kind, 0, 5, 8, rows, columns, 1 << 16 | 1, 97)

    data = 8 * side * side
    inner = head(6, side, side)
    whole = struct.pack("<2I", 14, len(inner) + 8 + data) + inner + struct.pack("<2I", 9, data)
    if cell:
        outer = head(1, 1, 1)
        whole = struct.pack("<2I", 14, len(outer) + len(whole) + data) + outer + whole
    content = deflated(whole, data)
    path.write_bytes(b"MATLAB 5.0 MAT-file".ljust(124) + b"\x00\x01IM" + struct.pack("<2I", 15, len(content)) + content)


def mat_of_a_cell(path):
    """Less than 1 MB that becomes 800."""
    mat(path, side=10_000, cell=True)


def hdf5(path):
    import h5py

    with h5py.File(path, "w", userblock_size=512) as file:
        file.create_dataset("map", (SIDE, SIDE), "f4", chunks=(1024, 1024), compression="gzip")


def hdf5_of_a_chunk(path):
    """A small map in a chunk of 2 GB."""
    import h5py

    with h5py.File(path, "w", userblock_size=512) as file:
        item = file.create_dataset(
            "map", (4, 6), "f8", chunks=(16000, 16000), maxshape=(None, None), compression="gzip"
        )
        item.id.write_direct_chunk((0, 0), deflated(b"", 8 * 16000 * 16000))


def csv(path):
    path.write_bytes(b"1.5,2.5\n" * 4_000_000)


def csv_of_gigabytes(path):
    sparse(path, b"x,y\n", 3 << 30)


def csv_of_columns(path):
    path.write_bytes(b"a" + b"," * 2_000_000 + b"\n")


def json(path):
    path.write_bytes(b"[" + b"[]," * 10_000_000 + b"[]]")


def nested_json(path):
    path.write_bytes(b"[" * 1_000_000)


def film(path, count=1000, side=1024):
    """One frame again and again."""
    import av

    with av.open(str(path), "w") as out:
        stream = out.add_stream("ffv1" if path.suffix == ".mkv" else "png", rate=25)
        stream.width, stream.height, stream.pix_fmt = side, side, "gray" if path.suffix == ".mkv" else "rgb24"
        frame = av.VideoFrame.from_ndarray(np.zeros((side, side, 3), np.uint8))
        packet, *_ = [*stream.encode(frame.reformat(format=stream.pix_fmt)), *stream.encode()]
        for at in range(count):
            again = av.Packet(bytes(packet))
            again.stream, again.time_base, again.pts, again.dts = stream, packet.time_base, at, at
            again.is_keyframe = True
            out.mux(again)


def film_of_a_frame(path):
    film(path, count=1, side=8000)
