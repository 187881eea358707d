"""Every reader of files, and small good files that it reads: what damage.py damages."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import h5py
import numpy as np
import scipy.io
from PIL import Image

import matlab_files
import video_media
from beholder.attention.files import forecasts, maps, paths
from beholder.attention.recordings import request
from beholder.core import scores
from beholder.io import bids, disparity, eyelink, film, flow, image, matlab, middlebury, sintel, spring, structs, table
from beholder.io.bounds import FLOOR
from beholder.motion import percepts, references
from beholder.motion.benchmarks import perceived_flow
from beholder.motion.files import answers as traces
from beholder.registry.recorded_answers import _log_rows
from beholder.stereo.benchmarks import published
from beholder.store import run_json
from beholder.study.design import file as study_file
from beholder.video.files import clips, keypoints, manifest
from beholder.video.files.answers import read as read_clip
from beholder.video.prompts import extract, files, review, vocabulary
from beholder.video.types import Clip

SHAPE = (6, 8)
GREY = (np.arange(48).reshape(SHAPE) * 5).astype(np.uint8)
FLOATS = GREY.astype(np.float32) / 8


class Readable(NamedTuple):
    """A reader and one file that it reads."""

    name: str  # of the file: its suffix tells the format
    make: Callable[[Path], Any]
    read: Callable[[Path], Any]

    def __repr__(self):
        reader = getattr(self.read, "__module__", "").removeprefix("beholder.")
        return f"{self.name} by {reader if reader != __name__ else self.read.__name__}"


def picture(mode="RGB", **kept):
    made = Image.fromarray(np.stack([GREY] * 3, axis=-1)).convert(mode)
    return lambda path: made.save(path, **kept)


def text(content):
    return lambda path: path.write_text(content)


def as_json(content):
    return text(json.dumps(content))


def bounded(read):
    """A reader under the limit that answers have."""

    def reading(path):
        return read(path, limit=FLOOR)

    reading.__module__ = read.__module__
    return reading


def hdf5(**arrays):
    def make(path):
        with h5py.File(path, "w", userblock_size=512) as file:
            for name, values in arrays.items():
                file.create_dataset(name, data=values, chunks=values.shape, compression="gzip")

    return make


def mat(**kept):
    return lambda path: scipy.io.savemat(
        path, {"map": FLOATS, "s": {"a": [1, 2], "t": "x"}, "c": matlab_files.cell(1, "b")}, **kept
    )


ASC = """MSG 1000 DISPLAY_COORDS 0 0 1023 767
START 1001 RIGHT SAMPLES EVENTS
SAMPLES GAZE RIGHT RATE 500.00 TRACKING CR
MSG 1002 TRIALID p1
1002 10.5 20.5 300.0
1004 . . 0.0
EFIX R 1002 1100 99 10.5 20.5 300
END 1200 SAMPLES EVENTS RES 1 1
"""
RUN = {
    "format": 2,
    "beholder": "0",
    "python": "3",
    "platform": "x",
    "versions": {},
    "seconds": 1.0,
    "benchmarks": [
        {
            "name": "stereo/dense",
            "version": 1,
            "about": "",
            "official": ["bad_pixels"],
            "unjudged": [],
            "judges": ["pareto"],
            "datasets": [
                {
                    "name": "d",
                    "fingerprint": "",
                    "samples": 1,
                    "of": 1,
                    "ids": None,
                    "licence": "",
                    "cite": "",
                    "about": "",
                    "status": "",
                }
            ],
            "measures": [],
            "models": [],
        }
    ],
}
ROW = "stereo/dense,1,m,model,d,u,0,bad_pixels,,,,lower,1.5,1,2,3,ok,,verified"
SCORES = f"{','.join(scores.COLUMNS)}\n{ROW}\n"
STUDY = """name = "a"
title = "t"
trial = "yes_no"
instructions = "i"
right = {a = "x"}
[[questions]]
text = "q"
answers = [{value = "x", label = "X"}, {value = "y", label = "Y"}]
[consent]
version = "1"
text = "t"
contact = "c"
[trials]
count = 2
practice = 0
checks = 0
repeats = 0
[[items]]
id = "1"
class = "a"
group = "1"
media = "m.png"
[[items]]
id = "2"
class = "a"
group = "2"
media = "n.png"
"""
REFERENCE = """["diamond.alpha"]
value = 4.5
spread = 0.5
spread_kind = "sd"
status = "verified"
source = "x"
stimulus = "x"
quantity = "x"
species = "human"
unit = "deg"
n = 3
"""
COCO_KEYPOINTS = {"skeleton": {"points": ["a", "b"], "bones": [["a", "b"]]}, "people": [[[[1, 2, 1], [3, 4, 1]]]]}


def npz(**arrays):
    return lambda path: np.savez_compressed(path, **arrays)


def npy(values):
    return lambda path: np.save(path, values)


def frames_of(path):
    with clips.opened(Clip(path=path)) as stream:
        return list(stream.frames)


def film_facts(path):
    return film.facts(path)


def film_pixels(path):
    return film.read(path, limit=FLOOR)


def movie(codec="mpeg4", **kept):
    return lambda path: video_media.film(path, video_media.frames(4, (16, 32)), codec=codec, **kept)


def gaze_trials(path):
    return request.read_trials(request.Request((path,), px_per_deg=10.0, hertz=500.0))


def eight_bit(path):
    return middlebury.read(path, scale=4)


def run_facts(path):
    return run_json.read(path.parent)


def reference(path):
    return references.records(str(path))


def poses(path):
    return keypoints.read(path, SHAPE)


def captions(path):
    return list(extract.captions(path))


def sheet(path):
    return review._rows(path)


def lines(path):
    return vocabulary.lines(path)


def recording(path):
    """A recording in BIDS: its table, or what is said of it."""
    stem = path.parent / "sub-1_task-a_recording-eye1_physio"
    if path.name.endswith(".json"):
        with gzip.open(f"{stem}.tsv.gz", "wt") as file:
            file.write("1\t2\n3\tn/a\n")
    else:
        Path(f"{stem}.json").write_text(json.dumps(PHYSIO))
    return bids.read(Path(f"{stem}.tsv.gz"), path.parent)


PHYSIO = {
    "Columns": ["x_coordinate", "y_coordinate"],
    "SamplingFrequency": 500,
    "StartTime": 1.0,
    "x_coordinate": {"Units": "px"},
}


def zipped(content):
    return lambda path: path.write_bytes(gzip.compress(content.encode(), mtime=0))


FOUND = [
    Readable("a.pfm", lambda path: disparity.write(FLOATS, path), bounded(disparity.read)),
    Readable("a.npy", npy(FLOATS), bounded(disparity.read)),
    Readable("a.npz", npz(disparity=FLOATS), bounded(disparity.read)),
    Readable("a.png", lambda path: Image.fromarray(GREY.astype(np.uint16) * 99).save(path), bounded(disparity.read)),
    Readable("a.flo", lambda path: flow.write(np.stack([FLOATS] * 2, axis=-1), path), bounded(flow.read)),
    Readable("flow.png", lambda path: flow.write(np.stack([FLOATS] * 2, axis=-1), path), bounded(flow.read)),
    Readable("a.dsp5", lambda path: spring.write(FLOATS, path), bounded(spring.read)),
    Readable("a.flo5", lambda path: spring.write(np.stack([FLOATS] * 2, axis=-1), path), bounded(spring.read)),
    Readable("grey.png", picture("L"), eight_bit),
    Readable("sintel.png", lambda path: sintel.write(FLOATS, path), sintel.read),
    *(
        Readable(f"p{suffix}", picture(**kept), bounded(image.read))
        for suffix, kept in (
            (".png", {}),
            (".jpg", {}),
            (".gif", {}),
            (".bmp", {}),
            (".webp", {}),
            (".ppm", {}),
            (".tif", {"compression": "tiff_lzw"}),
            (".tiff", {"compression": "tiff_deflate"}),
            (".ico", {}),
            (".tga", {}),
            (".jp2", {}),
        )
    ),
    Readable("a.mat", mat(), bounded(matlab.read)),
    Readable("z.mat", mat(do_compression=True), bounded(matlab.read)),
    Readable("four.mat", lambda path: scipy.io.savemat(path, {"map": FLOATS}, format="4"), bounded(matlab.read)),
    Readable("s.mat", mat(), bounded(structs.read)),
    Readable("map.mat", lambda path: matlab_files.map_file(path, ["a", "b"], [1, 2]), bounded(structs.read)),
    Readable("h.mat", hdf5(map=FLOATS), bounded(matlab.read)),
    Readable("hs.mat", hdf5(map=FLOATS), bounded(structs.read)),
    Readable("t.csv", text("x,y,t\n1,2,a\n3,4.5,b\n"), bounded(table.read)),
    Readable("t.tsv", text("x\ty\tt\n1\t2\ta\n3\t4.5\tb\n"), bounded(table.read)),
    Readable("a.asc", text(ASC), eyelink.read),
    Readable("g.asc", text(ASC), gaze_trials),
    Readable("gaze.csv", text("subject,trial,time_ms,x,y\n1,1,0,5,5\n1,1,2,5.5,5\n1,1,4,n/a,5\n"), gaze_trials),
    Readable("sub-1_task-a_recording-eye1_physio.tsv.gz", zipped("1\t2\n3\tn/a\n"), recording),
    Readable("sub-1_task-a_recording-eye1_physio.json", as_json(PHYSIO), recording),
    Readable("f.mp4", movie(), film_pixels),
    Readable("f.avi", movie(), film_pixels),
    Readable("facts.mkv", movie(), film_facts),
    Readable("c.mp4", movie(), frames_of),
    Readable("c.webm", movie("libvpx"), frames_of),
    Readable("c.avi", movie(), frames_of),
    Readable("c.gif", lambda path: video_media.animation(path, "GIF", 80), frames_of),
    Readable("c.webp", lambda path: video_media.animation(path, "WEBP", 80), frames_of),
    Readable("c.png", lambda path: video_media.animation(path, "PNG", 80), frames_of),
    Readable("c.npy", npy(video_media.frames(3, (16, 16))), frames_of),
    Readable("c.npz", npz(frames=video_media.frames(3, (16, 16)), rate=12.0), frames_of),
    Readable("answer.mp4", movie(), bounded(read_clip)),
    Readable("k.json", as_json(COCO_KEYPOINTS), poses),
    Readable("k.npz", npz(people=np.ones((1, 2, 17, 3)), skeleton=np.array("coco17")), poses),
    Readable("m.csv", text("file,prompt,rate\na.mp4,a dog,12\n"), manifest.read),
    Readable("m.json", as_json([{"file": "a.mp4", "prompt": "a dog", "rate": 12}]), manifest.read),
    Readable("m.jsonl", text('{"file": "a.mp4", "prompt": "a dog"}\n'), manifest.read),
    Readable(
        "prompts.json",
        as_json([{"prompt": "a dog runs", "subject": "dog"}]),
        files.read,
    ),
    Readable("captions.csv", text("id,caption\n1,a dog\n"), captions),
    Readable("sheet.csv", text("index,prompt,verdict\n0001,a dog,keep\n"), sheet),
    Readable("words.txt", text("# comment\ndog\ncat\n"), lines),
    Readable("map.png", picture("L"), bounded(maps.read)),
    Readable("map.npy", npy(FLOATS), bounded(maps.read)),
    Readable("map.h5", hdf5(map=FLOATS), bounded(maps.read)),
    Readable("mapped.mat", lambda path: scipy.io.savemat(path, {"map": FLOATS}), bounded(maps.read)),
    Readable("path.csv", text("x,y,duration_ms\n1,2,100\n3,4,200\n"), bounded(paths.read)),
    Readable("path.json", as_json([[1, 2, 100], [3, 4, 200]]), bounded(paths.read)),
    Readable("path.npy", npy(np.ones((3, 2))), bounded(paths.read)),
    Readable("forecast.npz", npz(map=np.ones(SHAPE)), bounded(forecasts.read)),
    Readable("trace.npz", npz(flow=np.zeros((3, 4, 5, 2))), bounded(traces.read)),
    Readable("flow.flo", lambda path: flow.write(np.stack([FLOATS] * 2, axis=-1), path), bounded(perceived_flow.read)),
    Readable("flow.npz", npz(flow=np.zeros((4, 5, 2))), bounded(perceived_flow.read)),
    Readable("percepts.json", as_json([["left", 1.5], ["right", 2]]), bounded(percepts.read)),
    Readable("published.json", as_json({"nonocc": 1.5, "all": 2, "disc": None}), bounded(published.read)),
    Readable("reference.toml", text(REFERENCE), reference),
    Readable("study.toml", text(STUDY), study_file.read),
    Readable("log.csv", text("participant,sample,answer\na,b,c\n"), _log_rows),
    Readable("log.jsonl", text('{"participant": "a", "sample": "b", "answer": [1]}\n'), _log_rows),
    Readable("scores.csv", text(SCORES), scores.read),
    Readable("run.json", as_json(RUN), run_facts),
]
