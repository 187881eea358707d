"""What the phases of a run cost, measured in this run and remembered from earlier ones: what the time left rests on."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from beholder.engines.progress import ANSWERING, DRAWING, JUDGING, LOADING, SCORING, WRITING, Course, Leg, Silent
from beholder.io.atomic import write_whole
from beholder.store.paths import cache_folder

FILE = "costs.json"  # in the cache folder
PHASES = (LOADING, ANSWERING, SCORING, DRAWING, JUDGING, WRITING)  # in the order in which a leg goes through them
SHARED = (ANSWERING,)  # phases whose work the workers share
MOST = 300  # benchmarks, and entrants of one, that are remembered; the newest
SLOWEST, FASTEST = 10.0, 0.1  # how much slower or faster than it was a machine is thought to be
ENOUGH = 3.0  # seconds of measured work from which its pace is believed

Costs = dict[str, dict[str, dict[str, float]]]  # worker seconds per step, by title, phase and entrant


def remembered(folder: Path | None = None, file: str = FILE) -> Costs:
    """The costs of earlier runs; nothing where there are none that can be read."""
    try:
        found = json.loads(((folder or cache_folder()) / file).read_text("utf-8"))
        return {
            str(title): {
                str(phase): {str(who): float(cost) for who, cost in own.items()} for phase, own in legs.items()
            }
            for title, legs in found.items()
        }
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


def remember(costs: Costs, folder: Path | None = None, file: str = FILE) -> None:
    """Keep costs for later runs; what other runs have measured meanwhile stays. A full disk costs the memory only."""
    place = folder or cache_folder()
    every = remembered(place, file)
    for title, phases in costs.items():
        before = every.pop(title, {})
        every[title] = before | {phase: _newest({**before.get(phase, {}), **own}) for phase, own in phases.items()}
    with contextlib.suppress(OSError):
        place.mkdir(parents=True, exist_ok=True)
        write_whole(place / file, json.dumps(_newest(every), ensure_ascii=False))


def _newest(entries: dict[str, Any]) -> dict[str, Any]:
    return dict(list(entries.items())[-MOST:])


class Guess(NamedTuple):
    """Seconds that something will take."""

    seconds: float
    sure: bool  # measured for this very thing, and not for others like it


class Meter(Silent):
    """Passes on what a run tells, measures what it costs, and tells how much is left."""

    def __init__(self, watch: Silent, folder: Path | None = None) -> None:
        self._watch, self._folder, self._lock = watch, folder, threading.RLock()  # the bar is drawn by a thread
        self._known: Costs = remembered(folder)
        self._measured: Costs = {}
        self._legs: dict[str, Leg] = {}
        self._slots, self._began = 1, time.monotonic()
        self._started = self._last = self._began
        self._title = self._phase = ""
        self._steps: Counter[str] = Counter()
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._actual = self._predicted = 0.0  # of finished phases whose costs were known before

    def __enter__(self) -> Meter:
        self._watch.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        self._close()
        remember(self._measured, self._folder)
        self._watch.__exit__(kind, fault, at)

    def expect(self, legs: Sequence[Leg], slots: int) -> None:
        """From now on the time left is told, of all of these."""
        self._legs, self._slots, self._started = {leg.title: leg for leg in legs}, max(slots, 1), time.monotonic()
        self._watch.follow(self.course)

    def begin(
        self, title: str, total: int, done: int, unit: str = "trials", *, phase: str = "", failed: int = 0
    ) -> None:
        """What was being done is finished, and its cost is known."""
        with self._lock:
            self._close()
            self._title, self._phase, self._began = title, phase, time.monotonic()
            self._last = self._began  # when its last step was done
        self._watch.begin(title, total, done, unit, phase=phase, failed=failed)

    def step(self, failed: bool, who: str = "", seconds: float = 0.0) -> None:
        """One further; how long it took counts where workers share the work."""
        with self._lock:
            self._steps[who] += 1
            self._last = time.monotonic()
            self._seconds[who] += seconds
        self._watch.step(failed, who, seconds)

    def say(self, sentence: str) -> None:
        """Pass it on."""
        self._watch.say(sentence)

    def whole(self) -> Guess | None:
        """How long all that is expected will take; None where nothing of it was ever measured."""
        steps = [(leg.title, phase, own) for leg in self._legs.values() for phase, own in leg.steps.items()]
        guesses = [self._guess(title, phase, +Counter(own)) for title, phase, own in steps if any(own.values())]
        known = [guess for guess in guesses if guess]
        sure = len(known) == len(guesses) and all(guess.sure for guess in known)
        return Guess(sum(guess.seconds for guess in known), sure) if known else None

    def course(self) -> Course:
        """How far the whole run is, and how long it will take."""
        with self._lock:
            return self._course()

    def _course(self) -> Course:
        titles = list(self._legs)
        at = titles.index(self._title) if self._title in self._legs else 0
        guesses = [*self._left_of_this(), *self._left_of_others(titles[at + 1 :])]
        known = [guess for guess in guesses if guess is not None]
        left = sum(guess.seconds for guess in known) if known else None
        spent = time.monotonic() - self._started
        sure = len(known) == len(guesses) and all(guess.sure for guess in known)
        share = spent / max(spent + left, 1e-9) if sure and left is not None else self._share_of_steps(at)
        benchmarks = [title for title in titles if ANSWERING in self._legs[title].steps]
        return Course(min(at, len(benchmarks)), len(benchmarks), left, sure, share)

    def _share_of_steps(self, at: int) -> float:
        """How far the run is where costs are not known: every leg counts alike, and each of its phases does."""
        leg = self._legs.get(self._title)
        phases = [phase for phase in PHASES if leg and phase in leg.steps]
        if leg is None or self._phase not in phases:
            return at / max(len(self._legs), 1)
        total = sum(leg.steps[self._phase].values())
        here = min(sum(self._steps.values()) / total, 1.0) if total else 0.0
        return (at + (phases.index(self._phase) + here) / len(phases)) / len(self._legs)

    def _close(self) -> None:
        """Write down what the phase that ends has cost."""
        took, steps = time.monotonic() - self._began, dict(self._steps)
        if self._title in self._legs and steps:
            guess = self._guess(self._title, self._phase, steps)
            if guess and guess.sure:
                self._actual, self._predicted = self._actual + took, self._predicted + guess.seconds
            cost = self._cost_so_far(took)
            self._measured.setdefault(self._title, {})[self._phase] = cost
            self._known.setdefault(self._title, {}).setdefault(self._phase, {}).update(cost)
        self._title = self._phase = ""
        self._steps.clear()
        self._seconds.clear()

    def _cost_so_far(self, took: float) -> dict[str, float]:
        """Worker seconds per step of everybody in the phase that is under way: what it took, shared by who worked."""
        whole, worked = took * self._workers(self._phase), sum(self._seconds.values())
        if worked <= 0:
            return {who: whole / sum(self._steps.values()) for who in self._steps}
        return {who: whole * self._seconds[who] / worked / count for who, count in self._steps.items()}

    def _left_of_this(self) -> list[Guess | None]:
        """What is left of the leg that is under way: of its present phase, and of those after it."""
        leg = self._legs.get(self._title)
        if leg is None or self._phase not in PHASES:
            return []
        after = PHASES[PHASES.index(self._phase) + 1 :]
        later = [self._paced(leg.title, phase, leg.steps[phase]) for phase in after if phase in leg.steps]
        return [self._left_of_phase(leg.steps.get(self._phase, {})), *later]

    def _left_of_phase(self, steps: Mapping[str, int]) -> Guess | None:
        """By the costs known before, at the pace measured now; by the pace alone where nothing was known."""
        took, since = self._last - self._began, time.monotonic() - self._last
        rest = {who: left for who, count in steps.items() if (left := count - self._steps[who]) > 0}
        done = sum(self._steps.values())
        before, after = self._guess(self._title, self._phase, self._steps), self._paced(self._title, self._phase, rest)
        plain = self._guess(self._title, self._phase, rest)
        if before and plain and before.sure and before.seconds > 0 and took > ENOUGH:
            after = Guess(plain.seconds * took / before.seconds, True)
        elif done and not (after and after.sure):
            after = Guess(took / done * sum(rest.values()), True)
        return after and after._replace(seconds=max(after.seconds - since, 0.0))

    def _left_of_others(self, titles: Sequence[str]) -> list[Guess | None]:
        legs = [self._legs[title] for title in titles]
        return [self._paced(leg.title, phase, steps) for leg in legs for phase, steps in leg.steps.items()]

    def _paced(self, title: str, phase: str, steps: Mapping[str, int]) -> Guess | None:
        """The guess, corrected by how fast this machine is today."""
        found = self._guess(title, phase, steps)
        if found is None or self._predicted < ENOUGH:
            return found
        return found._replace(seconds=found.seconds * min(max(self._actual / self._predicted, FASTEST), SLOWEST))

    def _guess(self, title: str, phase: str, steps: Mapping[str, int]) -> Guess | None:
        """What some steps take by measured costs; by those of others where there are none; None without any."""
        own = self._known.get(title, {}).get(phase, {})
        usual = _mean(own.values()) if own else self._elsewhere(phase)
        if usual is None:
            return None
        seconds = sum(count * own.get(who, usual) for who, count in steps.items())
        return Guess(seconds / self._workers(phase), all(who in own for who in steps))

    def _elsewhere(self, phase: str) -> float | None:
        """What a step of a phase usually costs in other benchmarks, that under way included."""
        found = [cost for legs in self._known.values() for cost in legs.get(phase, {}).values()]
        if phase == self._phase and self._steps:
            found += self._cost_so_far(time.monotonic() - self._began).values()
        return _mean(found) if found else None

    def _workers(self, phase: str) -> int:
        return self._slots if phase in SHARED else 1


def _mean(values: Iterable[float]) -> float:
    several = list(values)
    return sum(several) / len(several)
