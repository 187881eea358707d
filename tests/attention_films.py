"""Small folders of films with gaze, of the layouts of FIND and of Coutrot's databases."""

from pathlib import Path

import numpy as np

from beholder.io import video
from matlab_files import cell, mat

SHAPE, HERTZ, FRAMES = (48, 64), 25.0, 50
SOUNDS = ("OriginalSounds", "FacesSounds")
PLACES = [(12.0, 10.0), (50.0, 40.0), (30.0, 8.0)]  # where people look, a third of the film each


def frames(seed=0, count=FRAMES):
    """A bright patch that moves to the right over a noise that stays."""
    noise = np.random.default_rng(seed).integers(0, 90, (*SHAPE, 3)).astype(np.uint8)
    shown = np.repeat(noise[None], count, axis=0)
    for at in range(count):
        shown[at, 16:32, 4 + at // 2 : 20 + at // 2] = 220
    return shown


def places(who, count=FRAMES):
    """(frames, 2): the places in turn, a little apart for each person."""
    return np.repeat(PLACES, [18, 16, count - 34], axis=0) + who


def find_folder(root: Path) -> Path:
    """Two films, of three people each; a third one's film is not there."""
    (root / "videos").mkdir(parents=True)
    for at, name in enumerate(("001", "002")):
        video.write(frames(at), root / "videos" / f"{name}.mp4", hertz=HERTZ)
    for name in ("001", "002", "003"):
        gaze = [(places(who)).astype(np.uint16) for who in range(3)]
        mat(root / "fix_data" / f"{name}.mat", curr_v_all_s=cell(*gaze))
    return root


def recording(people, seed):
    """2 x frames x participants: the same places with a tremor, and a blink of the last one."""
    rng = np.random.default_rng(seed)
    gaze = np.stack([places(who).T for who in range(people)], axis=2) + rng.normal(0, 0.05, (2, FRAMES, people))
    gaze[:, 5:8, -1] = np.nan
    info = {"vidwidth": SHAPE[1], "vidheight": SHAPE[0], "nframe": FRAMES}
    return {"data": gaze, "info": info}


def coutrot_folder(root: Path) -> Path:
    """Two films in two conditions, both there."""
    (root / "ERB3_Stimuli").mkdir(parents=True)
    for at in (1, 2):
        video.write(frames(at), root / "ERB3_Stimuli" / f"clip_{at}.mp4", hertz=HERTZ)
    clips = {f"clip_{at}": recording(3, at) for at in (1, 2)}
    held = {SOUNDS[0]: clips, SOUNDS[1]: {"clip_2": recording(2, 9)}, "readme": "what this is"}
    mat(root / "coutrot_database1.mat", Coutrot_Database1=held)
    return root


FOLDERS = {"find_video_gaze": find_folder, "coutrot": coutrot_folder}
