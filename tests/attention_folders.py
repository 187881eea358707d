"""Small folders of the layouts of eye-movement sets, with made-up paths, for the tests of their loaders."""

import gzip
import json
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.testing import assert_allclose

from beholder.io import hateren, image
from matlab_files import cell, map_file, mat

SHAPE = (60, 80)
NAMES = ("p1", "p2", "p3")
PEOPLE = ("ann", "bob")
FROM_ONE = 0.5  # the upper left corner of a picture whose first pixel has its middle at (1, 1)


def picture(seed, shape=SHAPE):
    """Noise."""
    return np.random.default_rng(seed).integers(0, 256, (*shape, 3)).astype(np.uint8)


def path(picture_at, person_at):
    """x, y and duration of a made-up path inside a small picture; the last person saw nothing on the last one."""
    if (picture_at, person_at) == (len(NAMES) - 1, len(PEOPLE) - 1):
        return np.empty((3, 0))
    rng = np.random.default_rng([picture_at, person_at])
    x, y = rng.uniform(1, 79, 3 + picture_at), rng.uniform(1, 59, 3 + picture_at)
    return np.array([x, y, np.arange(len(x)) * 10.0 + 100])


def assert_paths(paths, picture_at, times=True):
    """Some paths, one per observer, are those of a made-up picture."""
    for who, found in enumerate(paths.values()):
        x, y, duration = path(picture_at, who)
        assert_allclose(found.x, x, atol=1e-9)
        assert_allclose(found.y, y, atol=1e-9)
        if times:
            assert_allclose(found.duration_ms, duration, atol=1e-9)
            assert_allclose(found.onset_ms, np.cumsum(duration) - duration, atol=1e-9)
        else:
            assert np.isnan(found.duration_ms).all()


def pictures(where, suffix=".png", names=NAMES, seed=0):
    """Files of pictures."""
    where.mkdir(parents=True, exist_ok=True)
    for at, name in enumerate(names):
        (where / f"{name}{suffix}").parent.mkdir(parents=True, exist_ok=True)
        image.write(picture(seed + at), where / f"{name}{suffix}")


def nus_folder(root: Path, offset: float = 0.0) -> Path:
    """eye/fixations.mat and stimuli, of which the second picture is not there."""
    pictures(root / "stimuli")
    (root / "stimuli" / "p2.png").unlink()
    entries = []
    for at, name in enumerate(NAMES):
        subjects = []
        for who in range(len(PEOPLE)):
            x, y, duration = path(at, who)
            subjects.append({"fix_x": x + offset, "fix_y": y + offset, "fix_duration": duration})
        entries.append({"img": f"{name}.png", "subjects": cell(*subjects)})
    mat(root / "eye" / "fixations.mat", fixations=cell(*entries))
    return root


def one_based_nus_folder(root: Path) -> Path:
    return nus_folder(root, FROM_ONE)


def trace(points, each=60, jump=6):
    """Samples of an eye that rests `each` samples on a point and takes `jump` to the next."""
    parts = [np.tile(points[0], (each, 1))]
    for start, end in pairwise(points):
        way = np.linspace(0, 1, jump + 1)[1:-1, None]
        smooth = way * way * (3 - 2 * way)
        parts += [start + smooth * (np.subtract(end, start)), np.tile(end, (each, 1))]
    return np.concatenate(parts).astype(float)


def mit_raw_folder(root: Path) -> Path:
    """DATA/<user>/<image>.mat with raw gaze, and ALLSTIMULI."""
    for at, name in enumerate(NAMES):
        (root / "ALLSTIMULI").mkdir(parents=True, exist_ok=True)
        image.write(picture(at, (500, 600)), root / "ALLSTIMULI" / f"{name}.png")
        for who, person in enumerate(PEOPLE):
            gaze = trace([(300, 250), (100 + 10 * at, 60 + who), (500, 400 + at)])
            gaze[20:25] = np.nan if who else -1  # a blink is either
            mat(root / "DATA" / person / f"{name}.mat", **{name: {"imgName": name, "DATA": {"eyeData": gaze}}})
    return root


def toronto_folder(root: Path) -> Path:
    place = root / "eyetrackingdata" / "fixdens"
    pictures(place / "Original Image Set", ".jpg", ("1", "2"))
    maps = np.zeros((2, *SHAPE), np.uint8)
    maps[0, [5, 7], [10, 70]] = 1
    maps[1, 30, 40] = 1
    mat(place / "origfixdata.mat", white=cell(*maps).T)
    return root


def kootstra_folder(root: Path) -> Path:
    pictures(root / "images", names=("animals_01", "nature_01"))
    people = [
        {
            f"subject_{who:02}": {"fixX": path(at, who)[0] + FROM_ONE, "fixY": path(at, who)[1] + FROM_ONE}
            for who in range(2)
        }
        for at in range(2)
    ]
    kinds = {"animals": {"animals_01": people[0]}, "nature": {"nature_01": people[1]}}
    mat(root / "eyeTrackData.mat", eyeTrackData=kinds)
    return root


CAT_ROWS = np.array([[11.0, 21.0], [11.0, 21.0], [np.nan, np.nan], [31.5, 41.0]])


def cat2000_folder(root: Path) -> Path:
    """trainSet with the containers.Map of all rows."""
    pictures(root / "trainSet" / "Stimuli", ".jpg", ("Action/001", "Art/001"))
    (root / "trainSet" / "Stimuli" / "Action" / "Output").mkdir()
    image.write(picture(9), root / "trainSet" / "Stimuli" / "Action" / "Output" / "001_SaliencyMap.jpg")
    people = [
        cell({"name": "24-53-ak.eye", "data": CAT_ROWS + at}, {"name": "24-54-bl.eye", "data": CAT_ROWS[:1] + at})
        for at in range(2)
    ]
    map_file(root / "trainSet" / "allFixData.mat", ["Action/001.jpg", "Art/001.jpg"], people)
    return root


def cat2000_maps_folder(root: Path) -> Path:
    pictures(root / "Stimuli", ".jpg", ("Action/001", "Art/001"))
    for at, id in enumerate(("Action/001", "Art/001")):
        marks = np.zeros(SHAPE, np.uint8)
        marks[10 + at, 20] = 1
        mat(root / "FIXATIONLOCS" / f"{id}.mat", fixLocs=marks)
    return root


def doves_folder(root: Path) -> Path:
    for at, name in enumerate(("img00001", "img00002")):
        light = np.random.default_rng(at).integers(0, 5000, hateren.CUT).astype(np.uint16)
        (root / "Images").mkdir(parents=True, exist_ok=True)
        hateren.write(light, root / "Images" / f"{name}.iml")
        x, y, duration = path(at, 0)
        gaze = trace([(500, 400), (100, 100 + at), (900, 600)], each=50, jump=8) + FROM_ONE
        mat(
            root / "Fixations" / f"{name}.iml.mat",
            subj_names_list=cell(*PEOPLE).T,
            fix_data=cell(np.array([x + FROM_ONE, y + FROM_ONE, duration / 5]), np.array([[2.0], [3.0], [40.0]])).T,
            eye_data=cell(gaze.T, gaze.T).T,
        )
    return root


def salicon_folder(root: Path) -> Path:
    pictures(root / "images" / "train", ".jpg")
    for at, name in enumerate(NAMES):
        points = [path(at, who)[:2].T + FROM_ONE for who in range(2)]
        gaze = [{"location": p, "timestamp": np.arange(len(p)), "fixations": p} for p in points]
        held = np.empty(2, [("location", "O"), ("timestamp", "O"), ("fixations", "O")])
        for n, one in enumerate(gaze):
            held[n] = tuple(one.values())
        mat(root / "fixations" / "train" / f"{name}.mat", image=name, gaze=held)
    return root


def fixatons_folder(root: Path) -> Path:
    """Two sets."""
    for seed, name in ((0, "SIENA12"), (10, "TORINO")):
        pictures(root / name / "STIMULI", seed=seed)
        for at, id in enumerate(NAMES):
            place = root / name / "SCANPATHS" / id
            place.mkdir(parents=True)
            for who, person in enumerate(PEOPLE):
                x, y, duration = path(at, who) / [[1], [1], [1000]]
                rows = zip(x, y, np.cumsum(duration) - duration, np.cumsum(duration), strict=True)
                (place / person).write_text("".join(f"{a!r} {b!r} {c!r} {d!r}\n" for a, b, c, d in map(_plain, rows)))
    return root


def _plain(values):
    return [float(value) for value in values]


def coco_folder(root: Path, task: str = "") -> Path:
    pictures(root / "images" / task, ".jpg", ("000000001", "000000002"))
    trials = []
    for at, name in enumerate(("000000001", "000000002")):
        for who in (1, 2):
            x, y, duration = path(at, who - 1)
            trial = {"name": f"{name}.jpg", "subject": who, "X": list(x), "Y": list(y), "T": list(duration)}
            trials.append(trial | {"length": len(x), "split": "train"} | ({"task": task} if task else {}))
    (root / "trials.json").write_text(json.dumps(trials))
    return root


def table_folder(root: Path, suffix: str = ".csv") -> Path:
    pictures(root / "pictures")
    comma = {".csv": ",", ".tsv": "\t"}[suffix]
    lines = [comma.join(["stimulus", "observer", "index", "x", "y", "duration_ms", "pupil", "group"])]
    for at, name in enumerate(NAMES):
        for who, person in enumerate(PEOPLE):
            rows = list(enumerate(path(at, who).T))
            for n, (x, y, duration) in reversed(rows):
                lines.append(
                    comma.join([f"{name}.png", person, str(n), *map(repr, _plain((x, y, duration))), "3.5", "g"])
                )
            if not rows:
                lines.append(comma.join([f"{name}.png", person, "0", "", "", "", "", "g"]))
    (root / f"fixations{suffix}").write_text("\n".join(lines) + "\n")
    return root


def ehinger_folder(root: Path) -> Path:
    """eyeData with one struct per picture, called as its file."""
    pictures(root / "images", ".jpg")
    for at, name in enumerate(NAMES):
        held = np.empty(2, [("fixXY", "O")])
        for who in range(2):
            held[who] = (path(at, who)[:2].T,)
        mat(root / "eyeData" / f"{name}.mat", **{name: {"target": "TP" if at else "TA", "subdata": held}})
    return root


SCREEN = (200, 100)  # the small pictures stand in its middle, at (60, 20)


def eyelink_folder(root: Path) -> Path:
    """A file a person; each saw three pictures."""
    pictures(root / "stimuli", ".png")
    for who, person in enumerate(PEOPLE):
        lines = ["** CONVERTED FROM made.edf", "MSG\t900 DISPLAY_COORDS 0 0 199 99"]
        for at, name in enumerate(NAMES):
            start = 1000 * (at + 1)
            lines += [f"START\t{start} \tRIGHT\tSAMPLES\tEVENTS", "SAMPLES\tGAZE\tRIGHT\tRATE\t 500.00\tTRACKING\tCR"]
            lines += [f"MSG\t{start} !V IMGLOAD CENTER stimuli/{name}.png"]
            lines += _samples(start, at)
            lines += [f"EFIX R {start - 50} {start + 20} 72 1.0 1.0 900"]
            time = start + 30
            for x, y, duration in path(at, who).T:
                place = f"{float(x + 60)!r}\t  {float(y + 20)!r}"
                lines.append(f"EFIX R   {time}\t{time + int(duration)}\t{int(duration)}\t  {place}\t   1200")
                time += int(duration)
            lines += [
                f"MSG\t{start + 900} TRIAL_RESULT 0",
                f"END\t{start + 950} \tSAMPLES\tEVENTS\tRES\t  38.54\t  31.12",
            ]
        (root / f"{person}.asc").write_text("\n".join(lines))
    return root


def _samples(start, at):
    """900 ms at 500 Hz: the middle of the picture, then a point right of it; a dot is no gaze."""
    gaze = trace([(100, 50), (130, 40 + at)], each=200, jump=6)
    rows = [f"{start + 2 * n}\t  {x:.1f}\t  {y:.1f}\t 1100.0\t..." for n, (x, y) in enumerate(gaze)]
    rows[100] = f"{start + 200}\t   .\t   .\t    0.0\t..."
    return rows


def bids_folder(root: Path) -> Path:
    """Two people, a run each, the screen said once for all."""
    pictures(root / "stimuli", ".png", NAMES[:2])
    shown = {
        "ScreenDistance": 0.57,
        "ScreenOrigin": ["top", "left"],
        "ScreenResolution": SCREEN,
        "ScreenSize": [0.2, 0.1],
    }
    root.joinpath("task-look_events.json").write_text(json.dumps({"StimulusPresentation": shown}))
    for who, person in enumerate(("01", "02")):
        place = root / f"sub-{person}" / "beh"
        place.mkdir(parents=True)
        stem = place / f"sub-{person}_task-look"
        gaze = np.concatenate([trace([(100, 50), (130, 40 + 3 * at + who)], each=247, jump=7) for at in range(2)])
        facts = {"Columns": ["timestamp", "x_coordinate", "y_coordinate", "pupil_size"], "SamplingFrequency": 500}
        facts |= {"StartTime": 1.0, "PhysioType": "eyetrack", "RecordedEye": "right"}
        facts |= {"x_coordinate": {"Units": "pixel"}, "y_coordinate": {"Units": "pixel"}}
        Path(f"{stem}_recording-eye1_physio.json").write_text(json.dumps(facts))
        rows = [f"{n}\t{x:.2f}\t{y:.2f}\t3" for n, (x, y) in enumerate(gaze)]
        rows[50] = "50\tn/a\tn/a\tn/a"
        with gzip.open(f"{stem}_recording-eye1_physio.tsv.gz", "wt") as file:
            file.write("\n".join(rows) + "\n")
        events = ["onset\tduration\ttrial_type\tstim_file", "1.0\t1.0\tshow\tp1.png", "2.0\t1.0\tshow\tp2.png"]
        Path(f"{stem}_events.tsv").write_text("\n".join([*events, "3.0\t0.1\tpause\tn/a"]) + "\n")
    return root


def gaze_folder(root: Path) -> Path:
    """An EyeLink folder, read as raw gaze: the screen and its pictures are the same."""
    root = eyelink_folder(root)
    (root / "dataset.toml").write_text('kind = "gaze"\n[settings]\npx_per_deg = 30.0\n')
    return root


def scanpaths_folder(root: Path) -> Path:
    """Two models, each with two repeats."""
    pictures(root / "pictures")
    rows = ["model,stimulus,repeat,index,x,y"]
    for at, name in enumerate(NAMES):
        rows += [
            f"{m},{name},{r},{n},{5 + n + r},{6 + at + n}" for m in ("deep", "flat") for r in (1, 2) for n in range(3)
        ]
    (root / "walks.csv").write_text("\n".join(rows) + "\n")
    return root


FOLDERS = {
    "fixations": table_folder,
    "scanpaths": scanpaths_folder,
    "mit1003": nus_folder,
    "osie": one_based_nus_folder,
    "eyecrowd": one_based_nus_folder,
    "toronto": toronto_folder,
    "kootstra": kootstra_folder,
    "cat2000": cat2000_folder,
    "doves": doves_folder,
    "salicon": salicon_folder,
    "fixatons": fixatons_folder,
    "coco": coco_folder,
    "table": table_folder,
    "ehinger": ehinger_folder,
    "eyelink": eyelink_folder,
    "bids": bids_folder,
}
TOLD = {"gaze": gaze_folder}  # those that a dataset.toml tells how to be read
