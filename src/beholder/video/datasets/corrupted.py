"""Clips with faults of a known kind and severity, and the same clips in other guises: what measures are tested on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from pathlib import Path

import numpy as np

from beholder.core.randomness import rng_for
from beholder.core.sample import Dataset, Sample
from beholder.errors import Misuse, NotFound, listed
from beholder.io.film import SUFFIXES
from beholder.store.digest import digest_files
from beholder.video.corruptions.invariances import GUISES, vary
from beholder.video.corruptions.kinds import CONTROLS, EVERY, HARD, KINDS, SEVERITIES, Change
from beholder.video.corruptions.suite import corrupt
from beholder.video.datasets.scenes import written
from beholder.video.files.clips import opened
from beholder.video.scenes.rendering import render
from beholder.video.types import Bytes, Clip

LONG_SIDE = 320  # px of the clips that get faults
STEP = 0.059  # s: their frames are at least so far apart: 24 frames/s become 12
VARIED = 480  # px of the clips that are shown in other guises, at their own rate
GENERATED = (180, 320), (270, 480)  # height and width of generated clips, for faults and for guises
RATES = 12.0, 24.0  # frames/s of the same
STILL = 0.3  # s: when the frame is shown from which things are cut out
DONORS = 4  # clips from which things are cut out for one clip
GROUPS = {"suite": tuple(KINDS), "hard": tuple(HARD), "controls": tuple(CONTROLS)}
GROUPS["gated"] = tuple(name for name, kind in KINDS.items() if kind.gated)
GROUPS["same"] = tuple(GUISES)


def corrupted(
    path: Path | None = None, *, kinds: str = "", levels: int = 6, clips: int = 0, seed: int = 0, frames: int = 30
) -> Dataset[Clip, Change]:
    """Clips with one of 21 kinds of change at six severities, and ten variants that no measure should notice.

    `path` is a folder of clean clips; without it they are generated scenes. `kinds` are names joined by +, or the
    groups suite (the 21), gated, hard, controls and same (the ten variants: other rates, sizes and encodings); by
    default suite and same. `levels` is the number of severities from 0 to 5, `clips` the number of clips (0: all of a
    folder, or two generated ones), `frames` the number of frames of each.
    """
    named = _kinds(kinds)
    if not 2 <= levels <= SEVERITIES or clips < 0 or frames < 8:
        raise Misuse(
            f"got levels={levels}, clips={clips}, frames={frames}; expected 2 to {SEVERITIES}, 0 or more, 8 or more"
        )
    files = _files(path) if path else {}
    bases = tuple(files) if path else tuple(f"scene{n:02d}" for n in range(clips or 2))
    severities = sorted({round(s) for s in np.linspace(0, SEVERITIES - 1, levels)})
    ids = [f"{base}/{kind}/{s}" for base in bases[: clips or None] for kind in named for s in _of(kind, severities)]
    digest = digest_files(path, files.values(), ()) if path else "generated"
    return Dataset(
        "corrupted",
        tuple(ids),
        Maker(tuple(files.items()), seed, frames),
        cite="Ling2025,vanderWalt2014",
        licence="that of the clips" if path else "generated; some textures are CC0 photographs of scikit-image",
        content=f"{digest},seed={seed},frames={frames}",
        status="derived",
        about="Clips with a fault of a known kind and severity, and the same ones at other rates, sizes and encodings.",
    )


def _kinds(text: str) -> list[str]:
    """The kinds that are meant.

    >>> _kinds("vanish+hard")
    ['vanish', 'fade', 'small', 'half_transparent', 'painted_out']
    """
    words = [word for word in re.split(r"[+,;\s]+", text) if word] or ["suite", "same"]
    known = [*GROUPS, *EVERY, *GROUPS["same"]]
    for word in words:
        if word not in known:
            raise NotFound(f"got the kind {word!r}; expected one of {listed(known, most=50)}")
    return list(dict.fromkeys(name for word in words for name in GROUPS.get(word, (word,))))


def _of(kind: str, severities: list[int]) -> list[int]:
    return list(range(1 + len(GUISES[kind]))) if kind in GUISES else severities


def _files(folder: Path) -> dict[str, Path]:
    """The clips of a folder by their names."""
    if not folder.is_dir():
        raise Misuse(f"got {folder}, which is not a folder; expected one with clips")
    found = {file.stem: file for file in sorted(folder.iterdir()) if file.suffix.lower() in (*SUFFIXES, ".gif")}
    if not found:
        raise Misuse(f"got {folder} without clips; expected files such as {', '.join(SUFFIXES[:4])}")
    return found


@dataclass(frozen=True)
class Maker:
    """Makes one sample from the seed and its id alone."""

    files: tuple[tuple[str, Path], ...]
    seed: int
    frames: int

    def __call__(self, id: str) -> Sample[Clip, Change]:
        """One sample."""
        base, kind, severity = id.rsplit("/", 2)
        tags = {"clip": base, "kind": kind, "severity": severity}
        return Sample(id, self._clip(base, kind, int(severity)), self.reference(id), tags)

    def reference(self, id: str) -> Change:
        """What was done; the clip is not made."""
        base, name, severity = id.rsplit("/", 2)
        if name in GUISES:
            return Change(base, name, int(severity), "", "stays", gated=False)
        kind = EVERY[name]
        return Change(base, name, int(severity), kind.target, kind.expected, kind.gated)

    def _clip(self, base: str, kind: str, severity: int) -> Clip:
        if kind in GUISES:
            return vary(_base(self, base, varied=True), ("as_it_is", *GUISES[kind])[severity])
        own = int(rng_for(self.seed, "corrupted", base).integers(1 << 30))
        return corrupt(_base(self, base, varied=False), kind, severity, seed=own, donors=self._donors(base))

    def _donors(self, base: str) -> tuple[Bytes, ...]:
        """A frame each of some other clips; none where there are too few, so that photographs serve."""
        others = [name for name, _ in self.files if name != base]
        if len(others) < 2:
            return ()
        chosen = rng_for(self.seed, "donors", base).permutation(len(others))[:DONORS]
        return tuple(_still(dict(self.files)[others[n]]) for n in chosen)


@lru_cache(maxsize=4)
def _base(maker: Maker, name: str, varied: bool) -> Clip:
    """A clean clip: what gets a fault, or what is shown in other guises (larger, and at its own rate)."""
    files = dict(maker.files)
    if name in files:
        return _decoded(files[name], maker.frames, varied)
    script = written(name, maker.seed)[0].script
    rate, size = RATES[varied], GENERATED[varied]
    return render(script, rate=rate, seconds=maker.frames / RATES[0], size=size)


def _decoded(path: Path, frames: int, varied: bool) -> Clip:
    """The beginning of a clip in a file."""
    step, most = (0.0, 2 * frames) if varied else (STEP, frames)
    kept: list[Bytes] = []
    times: list[float] = []
    with opened(Clip(path=path), VARIED if varied else LONG_SIDE) as stream:
        for seconds, frame in stream.frames:
            if not times or seconds - times[-1] >= step:
                kept.append(frame)
                times.append(seconds)
            if len(kept) == most:
                break
    if len(kept) < 8:
        raise ValueError(f"{path}: got {len(kept)} frames; expected 8 or more")
    return Clip(np.stack(kept), rate=float((len(times) - 1) / (times[-1] - times[0])))


@lru_cache(maxsize=64)
def _still(path: Path) -> Bytes:
    """A frame from near the beginning of a clip."""
    with opened(Clip(path=path), LONG_SIDE) as stream:
        shown = [frame for _, frame in takewhile(lambda timed: timed[0] < STILL, stream.frames)]
    return shown[-1]
