"""Clips as answers in files: for `dir:` and `cmd:` models, `--keep-answers` and `--save-stimuli`."""

from __future__ import annotations

import json
import math
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np

from beholder.io import video
from beholder.io.atomic import whole_file, write_whole
from beholder.io.bounds import LARGEST, check_bytes
from beholder.store.digest import digest, file_digest
from beholder.video.files import keypoints, manifest
from beholder.video.files.clips import opened
from beholder.video.files.pictures import frame_files
from beholder.video.files.suffixes import SUFFIXES, is_clip, is_frames, stem
from beholder.video.types import ASSUMED_RATE, Clip, Prompt

__all__ = ["SUFFIXES", "held", "located", "read", "show", "write"]

HELD = 1 << 29  # bytes of a clip that is held in memory: 400 frames of 854 x 480


def read(path: Path, *, limit: int = LARGEST) -> Clip:
    """The clip in a file or a folder of frames, once its first frame has been read.

    Keypoints that lie beside it come with it, and so does what a manifest in its folder says: its rate and its facts.
    Frames are decoded one by one when they are asked for, and what a frame may take is bounded: `limit` is not needed.
    """
    clip = Clip(path=path)
    said = manifest.beside(path)
    with opened(clip) as stream:
        next(stream.frames)
        shape = stream.shape
    if said is not None:
        clip = replace(clip, rate=said.rate, facts=said.facts)
    return replace(clip, content=_content(path), poses=keypoints.beside(path, shape))


def _content(path: Path) -> str:
    """A digest of the bytes of a clip."""
    if path.is_dir():
        return digest([(file.name, file_digest(file)) for file in frame_files(path)])
    return file_digest(path)


def located(folder: Path, id: str) -> Path | None:
    """The clip of a sample in a folder of answers: ID.mp4, ID.GIF …, or a folder ID of frames; the first there is."""
    place = folder / id
    if not place.parent.is_dir():
        return None
    there = [path for path in place.parent.iterdir() if is_clip(path) and stem(path) == place.name and path.exists()]
    best = min(there, key=lambda path: (SUFFIXES.index(path.suffix.lower()), path.name), default=None)
    return best or (place if is_frames(place) else None)


def write(clip: Clip, path: Path) -> None:
    """Put a clip into a file: one that lies in a file as its bytes are, others as .mp4 (H.264: a little is lost)."""
    if clip.path is not None and clip.path.is_file():
        with clip.path.open("rb") as source, whole_file(path) as target:
            shutil.copyfileobj(source, target)
        return
    whole = held(clip)
    assert whole.pixels is not None  # since it is held
    video.write(whole.pixels, path, hertz=ASSUMED_RATE if math.isnan(whole.rate) else whole.rate)


def held(clip: Clip) -> Clip:
    """The same clip with its frames in memory, so that its file may go; frames at uneven times get their mean rate."""
    if clip.pixels is not None:
        return clip
    frames, times = [], []
    with opened(clip) as stream:
        for seconds, frame in stream.frames:
            frames.append(frame)
            times.append(seconds)
            check_bytes(str(clip.path), f"{len(frames)} frames", len(frames) * frame.size, HELD, " and more")
    steady = (len(times) - 1) / times[-1] if len(times) > 1 else 1 / stream.step
    return replace(clip, pixels=np.stack(frames), path=None, rate=math.nan if stream.clock == "assumed" else steady)


def show(prompt: Prompt, folder: Path) -> None:
    """Write what a generator is asked for to prompt.json: text, subject, seconds, rate, size; null is not said."""
    said = {
        "text": prompt.text,
        "subject": prompt.subject,
        "seconds": None if math.isnan(prompt.seconds) else prompt.seconds,
        "rate": None if math.isnan(prompt.rate) else prompt.rate,
        "height": prompt.size[0] if prompt.size else None,
        "width": prompt.size[1] if prompt.size else None,
    }
    write_whole(folder / "prompt.json", json.dumps(said, ensure_ascii=False, indent=1) + "\n")
