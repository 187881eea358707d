"""Small files made to do harm: to fill the memory, overrun the stack, take for ever, or reach elsewhere."""

import gzip
import io
import pickle
import struct
import zipfile
from pathlib import Path

import numpy as np

import bombs

DEEP = 100_000


class Harm:
    """Unpickled, it writes a file: who finds that file has found a hole."""

    def __init__(self, mark):
        self.mark = str(mark)

    def __reduce__(self):
        return Path.touch, (Path(self.mark),)


def mat_file(path, *elements):
    path.write_bytes(b"MATLAB 5.0 MAT-file".ljust(124) + b"\x00\x01IM" + b"".join(elements))


def mat_variable(kind, rows, content=b""):
    """A variable of so many rows, called a."""
    head = struct.pack("<4I", 6, 8, kind, 0) + struct.pack("<4I", 5, 8, rows, 1) + struct.pack("<2I", 1 << 16 | 1, 97)
    return struct.pack("<2I", 14, len(head) + len(content)) + head + content


def nested_cells(path, depth=10_000):
    """Cells within cells of a MATLAB file: who descends into them by recursion in C overruns the stack."""
    head = mat_variable(1, 1)[8:]
    sizes = [len(head)]
    for _ in range(depth - 1):
        sizes.append(len(head) + 8 + sizes[-1])
    mat_file(path, *(struct.pack("<2I", 14, size) + head for size in reversed(sizes)))


def deeper_cells(path):
    nested_cells(path, DEEP)


def numbers_of_no_type(path):
    """Numbers of the type 14, which is none of numbers: SciPy takes it as an index in C, and the process ends."""
    mat_file(path, mat_variable(6, 1, struct.pack("<2Id", 14, 8, 1.5)))


def text_of_no_type(path):
    mat_file(path, mat_variable(4, 1, struct.pack("<2I2I", 60_000, 4, 97, 0)))


def no_imaginary_part(path):
    """Complex numbers of which only the real part is there: the next variable is taken for the other."""
    part = struct.pack("<2Id", 9, 8, 1.5)
    mat_file(path, mat_variable(6 | 1 << 11, 1, part), mat_variable(6, 1, part))


def text_of_nothing(path):
    """A billion spaces that nothing stands for."""
    mat_file(path, mat_variable(4, 1 << 30, struct.pack("<2I", 1, 0)))


def structs_of_nothing(path):
    """A billion structs without a field."""
    mat_file(path, mat_variable(2, 1 << 30, struct.pack("<2I", 4 << 16 | 5, 32) + struct.pack("<2I", 1, 0)))


def fields_of_one_name(path, many=50_000):
    """SciPy looks for a new name for each of them, and is not done with it for minutes."""
    names = struct.pack("<2I", 4 << 16 | 5, 1) + struct.pack("<2I", 1, many) + b"a" * many
    mat_file(path, mat_variable(2, 0, names))


def physio(path):
    """A table of BIDS that unpacks to 2 GB."""
    path.with_name(path.name.replace(".tsv.gz", ".json")).write_text(
        '{"Columns": ["x_coordinate", "y_coordinate"], "SamplingFrequency": 500}'
    )
    packed = gzip.compress(b"1\t2\n" * (1 << 18), mtime=0)
    path.write_bytes(packed * 2000)


def long_number(path):
    """A recording with a number of 300,000 digits that is none in the end."""
    path.write_text(f"START 1 RIGHT SAMPLES\n{'1' * 300_000}x 1 2 3\n1 {'1' * 300_000}x 2 3\n")


def far_time(path):
    """A recording of two samples, a year apart."""
    path.write_text("subject,trial,time_ms,x,y\n1,1,0,5,5\n1,1,2,5,5\n1,1,31557600000,5,5\n")


def nested_json(path):
    path.write_text("[" * DEEP + "]" * DEEP)


def nested_less(path):
    """As deep as the parser goes: who walks through it goes deeper."""
    path.write_text('{"format": 2, "benchmarks": ' + "[" * 900 + "]" * 900 + "}")


def nested_toml(path):
    path.write_text("a = " + "[" * DEEP)


def objects(path):
    """An array of objects, that is, a pickle."""
    np.save(path, np.array([Harm(path.with_name("harmed"))], object), allow_pickle=True)


def archive_of_objects(path):
    held = io.BytesIO()
    np.save(held, np.array([Harm(path.with_name("harmed"))], object), allow_pickle=True)
    with zipfile.ZipFile(path, "w") as out:
        for name in ("map.npy", "flow.npy", "frames.npy", "disparity.npy", "people.npy", "skeleton.npy"):
            out.writestr(name, held.getvalue())


def bare_pickle(path):
    path.write_bytes(pickle.dumps(Harm(path.with_name("harmed"))))


def outside_hdf5(path):
    """A map that lies in another file, and one whose bytes do: /etc/passwd would be read as numbers."""
    import h5py

    with h5py.File(path, "w", userblock_size=512) as file:
        file["map"] = h5py.ExternalLink("/etc/passwd", "/map")
        file.create_dataset("bytes", (64,), "u1", external=[("/etc/passwd", 0, 64)])


def tiff(path):
    """A picture of 4 gigapixels in a few bytes."""
    entries = [
        (256, 4, 65535),
        (257, 4, 65535),
        (258, 3, 8),
        (259, 3, 1),
        (262, 3, 1),
        (273, 4, 8),
        (278, 4, 65535),
        (279, 4, 8),
    ]
    body = struct.pack("<H", len(entries)) + b"".join(
        struct.pack("<HHII", tag, kind, 1, value) for tag, kind, value in entries
    )
    path.write_bytes(b"II*\0" + struct.pack("<I", 8) + body + bytes(4))


def gif(path):
    """A film of 65,535 × 65,535 px."""
    path.write_bytes(b"GIF89a\xff\xff\xff\xff\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\xff\xff\xff\xff\0\x02\x02L\x01\0;")


def wide_png(path):
    bombs.png(path, depth=8, side=1)
    whole = bytearray(path.read_bytes())
    whole[16:24] = struct.pack(">2I", 2**31 - 1, 2**31 - 1)
    path.write_bytes(bytes(whole))


def playlist(path):
    """A film that is a list of other places."""
    path.write_text(
        "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nhttp://127.0.0.1:9/a.ts\n#EXTINF:1,\n/etc/passwd\n#EXT-X-ENDLIST\n"
    )


def concatenated(path):
    path.write_text("ffconcat version 1.0\nfile /etc/passwd\n")


# Each hazard, its name, and who reads it: a name of readable.py.
HAZARDS = [
    (nested_cells, "cells.mat", "s.mat"),
    (nested_cells, "cells_too.mat", "a.mat"),
    (nested_cells, "cells_map.mat", "mapped.mat"),
    (deeper_cells, "deeper.mat", "a.mat"),
    *(
        (make, f"{make.__name__}.mat", reader)
        for make in (
            numbers_of_no_type,
            text_of_no_type,
            no_imaginary_part,
            text_of_nothing,
            structs_of_nothing,
            fields_of_one_name,
        )
        for reader in ("a.mat", "s.mat")
    ),
    (physio, "sub-1_task-a_recording-eye1_physio.tsv.gz", "sub-1_task-a_recording-eye1_physio.tsv.gz"),
    (long_number, "long.asc", "a.asc"),
    (far_time, "far.csv", "gaze.csv"),
    (nested_json, "nested.json", "path.json"),
    (nested_json, "percepts.json", "percepts.json"),
    (nested_json, "prompts.json", "prompts.json"),
    (nested_json, "k.json", "k.json"),
    (nested_json, "m.json", "m.json"),
    (nested_json, "m.jsonl", "log.jsonl"),
    (nested_json, "run.json", "run.json"),
    (nested_less, "less/run.json", "run.json"),
    (nested_toml, "study.toml", "study.toml"),
    (nested_toml, "reference.toml", "reference.toml"),
    *((objects, f"{at}.npy", name) for at, name in enumerate(("a.npy", "c.npy", "map.npy", "path.npy"))),
    *((bare_pickle, f"bare{at}.npy", name) for at, name in enumerate(("a.npy", "map.npy", "path.npy"))),
    *(
        (archive_of_objects, f"{at}.npz", name)
        for at, name in enumerate(("a.npz", "c.npz", "k.npz", "forecast.npz", "trace.npz"))
    ),
    (outside_hdf5, "outside.h5", "map.h5"),
    (outside_hdf5, "outside.mat", "h.mat"),
    (outside_hdf5, "outside_too.mat", "hs.mat"),
    (tiff, "huge.tif", "p.tif"),
    (gif, "huge.gif", "c.gif"),
    (gif, "huge_too.gif", "p.gif"),
    (wide_png, "wide.png", "p.png"),
    (wide_png, "wide_too.png", "c.png"),
    (playlist, "list.mp4", "f.mp4"),
    (playlist, "list_too.mp4", "c.mp4"),
    (concatenated, "concat.mp4", "f.mp4"),
]
