"""Fixations of many trials as the long table that `--dataset table:` reads, and what is to be said of them."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from inspect import signature
from statistics import median

import numpy as np

from beholder.attention.recordings.request import FINDERS, TRACKER, Request, read_trials
from beholder.attention.recordings.trials import Trial, gaps_ms, lost
from beholder.attention.types import Floats, Scanpath
from beholder.errors import Misuse, listed
from beholder.registry.find import nearest
from beholder.registry.spec import configure, parse

HEAD = ("stimulus", "observer", "index", "x", "y", "onset_ms", "duration_ms")
BLINK_MS = (50.0, 500.0)  # how long blinks last, from memory
SLOW = 120.0  # Hz: below, a saccade is one to three samples, and its speed is not seen
NEAR = "a fixation continues after a gap of up to 75 ms if the eye is then within half a degree"
SPANS = {  # what becomes of a gap
    "velocity": NEAR,
    "dispersion": NEAR,
    "acceleration": "a fixation continues after a gap, however long, if no saccade was detected around it",
    "geymol": "a gap ends a fixation",
    "tracker": "the tracker decided what spans a gap",
}
MOSTLY = 0.5  # share of lost samples above which the trial is named


@dataclass(frozen=True, eq=False)
class Found:
    """Trials, and the fixations of each."""

    trials: Sequence[Trial]
    paths: Sequence[Scanpath]
    by: str  # the detector
    how: str  # the same with its settings, in words
    on_screen: bool  # places are px of the screen, and not known to be of the picture
    again: int = 0  # looks at a stimulus that an observer had seen before, left out

    @cached_property
    def shares_lost(self) -> Floats:
        """The share of lost samples of each trial."""
        return np.array([lost(trial.gaze).mean() if len(trial.gaze) else np.nan for trial in self.trials])

    @property
    def columns(self) -> dict[str, str]:
        """Of tables: which columns were used; where tables differ, all names of a meaning."""
        names: dict[str, dict[str, None]] = {}
        for trial in self.trials:
            for word, name in trial.columns.items():
                names.setdefault(word, {})[name.strip()] = None
        return {word: " or ".join(those) for word, those in names.items()}

    @property
    def validity(self) -> str:
        """How trackers say which samples are good."""
        return "; ".join(dict.fromkeys(trial.validity for trial in self.trials if trial.validity))

    @property
    def doubts(self) -> tuple[str, ...]:
        """What may have been misread of the tables."""
        return tuple(dict.fromkeys(doubt for trial in self.trials for doubt in trial.doubts))

    @property
    def rates(self) -> str:
        """The sampling rates in Hz."""
        return listed([f"{rate:g}" for rate in sorted({round(trial.gaze.hertz, 1) for trial in self.trials})])

    @property
    def lost_samples(self) -> tuple[int, int]:
        """How many samples were lost, and how many there are."""
        return sum(int(lost(trial.gaze).sum()) for trial in self.trials), sum(len(t.gaze) for t in self.trials)


def find_fixations(asked: Request) -> Found:
    """Find the fixations of every trial; of somebody who saw a stimulus twice, the first look counts."""
    name, settings = parse(asked.detector)
    if name not in (*FINDERS, TRACKER):
        raise Misuse(f"no detector called {name!r}{nearest(name, [*FINDERS, TRACKER])}")
    every = read_trials(asked)
    first = {(trial.stimulus, trial.observer): trial for trial in reversed(every)}
    trials = sorted(first.values(), key=lambda trial: (trial.observer, trial.stimulus))
    again = len(every) - len(trials)
    on_screen = asked.pictures is None and any(trial.screen for trial in trials)
    if name == TRACKER:
        return Found(
            trials, [_tracked(trial) for trial in trials], name, "marked by the tracker itself", on_screen, again
        )
    find = configure(FINDERS[name], settings, f"detector {name}")
    if name != "geymol" and any(np.isnan(trial.px_per_deg) for trial in trials):
        raise Misuse(f"got no px per degree; the {name} detector needs them; give {asked.options.scale}")
    given = {key: value.default for key, value in signature(FINDERS[name]).parameters.items() if key != "gaze"}
    used = ", ".join(f"{key}={value:g}" for key, value in (given | settings).items() if key != "px_per_deg")
    paths = [find(trial.gaze, px_per_deg=trial.px_per_deg) for trial in trials]
    return Found(trials, paths, name, f"found by {name} ({used})", on_screen, again)


def _tracked(trial: Trial) -> Scanpath:
    if trial.tracked is None:
        raise Misuse(
            "got a recording without the tracker's fixations; expected EFIX, or physioevents; or choose a detector"
        )
    return trial.tracked


def as_csv(found: Found) -> str:
    """The table; a trial without a fixation is one row without a place, so that it is known to have been."""
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(HEAD)
    for trial, path in zip(found.trials, found.paths, strict=True):
        name = trial.stimulus, trial.observer
        columns = zip(path.x, path.y, path.onset_ms, path.duration_ms, strict=True)
        rows = [(f"{x:.2f}", f"{y:.2f}", f"{at:.1f}", f"{lasts:.1f}") for x, y, at, lasts in columns]
        lines.writerows((*name, index, *row) for index, row in enumerate(rows or [("",) * 4], 1))
    return text.getvalue()


def summary(found: Found) -> str:
    """The answer first: how many fixations, how long; then what was lost, and what is to be kept in mind."""
    return "\n".join([_answer(found), _losses(found), *_cautions(found)])


def _answer(found: Found) -> str:
    lasts = _joined([path.duration_ms for path in found.paths])
    people, shown = ({getattr(trial, name) for trial in found.trials} for name in ("observer", "stimulus"))
    trials = _many(len(found.trials), "trial")
    said = (
        f"{_many(len(lasts), 'fixation')} in {trials} ({_many(len(people), 'observer')}, "
        f"{_many(len(shown), 'stimulus', 'stimuli')}), {found.how}, at {found.rates} Hz"
    )
    scales = sorted({round(trial.px_per_deg, 2) for trial in found.trials if np.isfinite(trial.px_per_deg)})
    said += f" and {listed([f'{scale:g}' for scale in scales])} px per degree." if scales else "."
    if not len(lasts):
        return f"{said} No fixation was found: check px per degree, the unit of times, and the columns."
    jumps = _joined([_amplitudes(path, trial) for path, trial in zip(found.paths, found.trials, strict=True)])
    far = f", the median saccade {median(jumps):.1f} degrees" if len(jumps) else ""
    each = len(lasts) / len(found.trials)
    return f"{said}\nThe median fixation lasts {median(lasts):.0f} ms{far}; {each:.1f} fixations per trial."


def _losses(found: Found) -> str:
    """What was lost, and how much of it looks like blinks."""
    gone, many = found.lost_samples
    if not gone:
        return f"Lost: none of {many:,} samples."
    gaps = _joined([gaps_ms(trial.gaze) for trial in found.trials])
    blinks = int(((gaps >= BLINK_MS[0]) & (gaps <= BLINK_MS[1])).sum())
    longer = int((gaps > BLINK_MS[1]).sum())
    least, most = 100 * np.nanmin(found.shares_lost), 100 * np.nanmax(found.shares_lost)
    return (
        f"Lost: {100 * gone / many:.1f} % of {many:,} samples, {least:.1f} to {most:.1f} % of a trial, in "
        f"{_many(len(gaps), 'gap')}: {blinks} of {BLINK_MS[0]:g} to {BLINK_MS[1]:g} ms (probably blinks), {longer} "
        f"longer. Gaps are not filled in: {SPANS[found.by]}. Where people looked during a gap is unknown."
    )


def _cautions(found: Found) -> list[str]:
    """What is to be kept in mind, of this recording."""
    worst = [
        f"{trial.observer} on {trial.stimulus} ({100 * share:.0f} %)"
        for trial, share in zip(found.trials, found.shares_lost, strict=True)
        if share > MOSTLY
    ]
    said = [f"Valid: by {found.validity}."] if found.validity else []
    said += [f"Doubt: {doubt}." for doubt in found.doubts]
    if worst:
        said.append(f"Mostly lost but still in the table: {listed(worst, most=6)}. --least-seen 0.5 leaves them out.")
    if found.again:
        said.append(f"Left out: {_many(found.again, 'viewing')} of a stimulus that the observer had seen before.")
    empty = sum(len(path) == 0 for path in found.paths)
    if empty:
        said.append(f"Without a fixation: {_many(empty, 'trial')}; each is a row without coordinates.")
    slow = min((trial.gaze.hertz for trial in found.trials), default=np.inf)
    if slow < SLOW and found.by in ("velocity", "acceleration"):
        said.append(
            f"At {slow:.4g} Hz a saccade lasts one to three samples, so its speed is hardly measurable, and "
            f"durations are accurate to {1000 / slow:.0f} ms. Compare with --detector dispersion."
        )
    if found.on_screen:
        said.append(
            "Coordinates are px of the screen; --pictures DIR turns them into px of pictures shown in its middle."
        )
    return said


def without_mostly_lost(found: Found, least_seen: float) -> tuple[Found, int]:
    """The trials of which at least a share was seen, and how many were not."""
    if not 0 <= least_seen <= 1:
        raise Misuse(f"got --least-seen {least_seen}; expected a share, 0 to 1")
    held = [at for at, share in enumerate(found.shares_lost) if 1 - share >= least_seen]
    if not held:
        raise Misuse(f"got no trial with {100 * least_seen:g} % of its samples; lower --least-seen")
    trials, paths = [found.trials[at] for at in held], [found.paths[at] for at in held]
    return replace(found, trials=trials, paths=paths), len(found.trials) - len(held)


def _amplitudes(path: Scanpath, trial: Trial) -> Floats:
    return np.asarray(np.hypot(np.diff(path.x), np.diff(path.y)) / trial.px_per_deg, np.float64)


def _joined(columns: Sequence[Floats]) -> Floats:
    every: Floats = np.concatenate([np.empty(0), *columns])
    return every[np.isfinite(every)]


def _many(count: int, one: str, several: str = "") -> str:
    return f"{count:,} {one if count == 1 else several or one + 's'}"
