"""Whether a study can be served: its database, its files, its design. `serve` does not start where a fault is found."""

from __future__ import annotations

import hashlib
import math
import os
import random
import stat
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any, NamedTuple

from beholder.engines.progress import Silent, Watch
from beholder.errors import Misuse, listed
from beholder.io.reading import parse_json
from beholder.study.design.file import Shown, Study
from beholder.study.design.wording import FILL_IN
from beholder.study.operations.giveaways import giveaways
from beholder.study.operations.place import DEMO, Place
from beholder.study.operations.wording import count_of

LARGEST = {"picture": 5_000_000, "film": 30_000_000, "track": 1_000_000}  # bytes: people pay for them, on phones
PICTURES, FILMS = (".png", ".jpg", ".jpeg", ".webp", ".gif"), (".mp4", ".webm")  # what every browser shows
PAID = ("prolific", "mturk")  # platforms where a code is money
DRAWS, MANY = 5, 10_000
CHANCE = 0.05  # share of tracks of another length that may be missing in a sample of the other class
OPENED = 1000  # pictures and films, and as many tracks, that are opened at most


class Finding(NamedTuple):
    """Something that is wrong with a study (a fault: it is not served) or that should be known (a remark)."""

    fault: bool
    says: str


def check(at: Place, store: Any = None, *, public: bool = True, today: date | None = None, watch: Watch | None = None
          ) -> list[Finding]:  # fmt: skip
    """All that is found, faults first; `public`: others than the researcher will see it."""
    watch = watch or Silent()
    found = [*_database(store), *_texts(at.study, public), *_dates(at.study, today or date.today(), public)]
    found += _assets(at, watch)
    found += (Finding(fault and public, says) for fault, says in giveaways(at.study, at.folder))
    found += _design(at.study)
    return sorted(found, key=lambda one: not one.fault)


def refuse(at: Place, findings: list[Finding]) -> None:
    """Raise where there is a fault."""
    faults = [one.says for one in findings if one.fault]
    if faults:
        raise Misuse(
            f"{at.study.name} cannot be served: {listed(faults, most=5, by='; ')}. Correct this, then run: beholder "
            f"study check {at.file}"
        )


def _database(store: Any) -> Iterator[Finding]:
    """A row is written, read and deleted: folders that cannot be written to have lost whole studies."""
    if store is None:
        return
    try:
        store.round_trip()
    except Exception as fault:  # noqa: BLE001 each database has errors of its own
        yield Finding(
            True, (f"the database does not keep what is written ({fault}); check its permissions and free space")
        )


def _texts(study: Study, public: bool) -> Iterator[Finding]:
    texts = {
        "title": study.title,
        "instructions": study.instructions,
        "consent.version": study.consent.version,
        "consent.text": study.consent.text,
        "consent.contact": study.consent.contact,
        "debrief": study.debrief,
        "codes.return_to": study.codes.return_to,
    }
    left = [name for name, text in texts.items() if FILL_IN in text]
    if left:
        yield Finding(public, f"{FILL_IN} is still in {listed(left)}; only you know what to write there")
    if study.platform == "prolific" and not study.codes.return_to:
        yield Finding(
            False,
            "codes.return_to is empty: people must copy their code by hand; Prolific's address for it is "
            "https://app.prolific.com/submissions/complete?cc={code}",
        )
    yield from _codes(study)
    if not study.exclude:
        yield Finding(False, "no exclusion rule is stated; state the rules before collecting answers")
    if not study.right and study.trial != "rating":
        yield Finding(False, "`right` is empty: no answer will count as right or wrong")


def _codes(study: Study) -> Iterator[Finding]:
    """Whether those who fail checks take back the same code as all others: they are paid then."""
    codes = study.codes
    if study.trials.checks and any(rule.rule == "checks" for rule in study.exclude):
        if not codes.failed_checks:
            yield Finding(
                study.platform in PAID,
                "codes.failed_checks is not stated: people who fail checks get the code of those who complete; state "
                f'another code, or the same one: failed_checks = "{codes.complete}"',
            )
        elif codes.failed_checks == codes.complete:
            yield Finding(False, f"people who fail checks get the same code as everybody else, {codes.complete}")
    if codes.screened_out and codes.screened_out in (codes.complete, codes.failed_checks):
        yield Finding(False, f"codes.screened_out is {codes.screened_out}, as for those who answered everything")


def _dates(study: Study, today: date, public: bool) -> Iterator[Finding]:
    if study.retain_until is None:
        demo = study.name == DEMO and study.platform == "open"
        yield Finding(
            public and not demo,
            "retain_until is not set: write how long answers are kept, such as retain_until = "
            f"{today.year + 10}-12-31; participants and ethics boards ask for it",
        )
    elif study.retain_until < today:
        yield Finding(
            True,
            (f"retain_until is {study.retain_until}, which has passed; run beholder study purge, or set another date"),
        )


def _assets(at: Place, watch: Watch) -> Iterator[Finding]:
    """Every file that an item names is there and is small; those that are opened can be; no two items show the same."""
    seen: dict[tuple[str, str], list[str]] = defaultdict(list)
    lengths: dict[str, dict[str, Counter[tuple[float, int]]]] = defaultdict(lambda: defaultdict(Counter))
    files = _Files(at.folder, at.study.items)
    watch.begin(at.study.name, len(at.study.items), 0, "items")
    for item in at.study.items:
        faults = list(_needs(item))
        marks = []
        for name, kind in ((item.media, "media"), (item.track, "track")):
            known = files.get(name, kind) if name else NOTHING
            faults += [f"item {item.id}: {known.fault}"] if known.fault else []
            marks.append(known.mark)
            if kind == "track" and known.rows:
                lengths[item.stimulus][item.kind][known.seconds, known.rows] += 1
        if not faults and item.use == "trial":
            seen[marks[0], marks[1]].append(item.id)
        yield from (Finding(True, one) for one in faults)
        watch.step(bool(faults))
    for several in seen.values():
        if len(several) > 1:
            yield Finding(True, f"items {listed(several, most=4)} show the same thing; expected each once")
    for stimulus, by in lengths.items():
        if any(_apart(one, other) > (CHANCE if files.sampled else 0) for one, other in combinations(by.values(), 2)):
            of = f" of {stimulus}" if stimulus else ""
            yield Finding(
                False, f"tracks{of} differ in length or frame rate between classes, which gives the answer away"
            )
    for what, (opened, there) in files.looked.items():
        if opened < there:
            yield Finding(
                False, (f"{there} {what} exist and are small enough; {opened} of them, chosen at random, were opened")
            )


def _apart(one: Counter[Any], other: Counter[Any]) -> float:
    """The share of tracks of a length that the other class does not have, in the class where it is larger.

    >>> _apart(Counter(a=2), Counter(a=4)), _apart(Counter(a=1, b=3), Counter(a=1))
    (0.0, 0.75)
    """
    return max(
        sum(own[name] for name in set(own) - set(its)) / own.total() for own, its in ((one, other), (other, one))
    )


def _needs(item: Shown) -> Iterator[str]:
    if item.show == "track" and not item.track:
        yield f"item {item.id} shows a track but names no file; expected one in `track`"
    if item.show != "track" and not item.media:
        yield f"item {item.id} shows a {item.show} but names no file; expected one in `media`"


class _Known(NamedTuple):
    """What is known of a file: a digest of what it holds; of a track, its length and its rows."""

    fault: str
    mark: str
    seconds: float
    rows: int


NOTHING = _Known("", "", 0.0, 0)


class _Files:
    """Files of a study, each looked at once; of many, some are opened, drawn at random.

    To ask for a file's size takes microseconds, to open and read it a hundred times as long.
    """

    def __init__(self, folder: Path, items: Sequence[Shown]) -> None:
        self.folder = os.path.realpath(folder)
        self._parents: dict[str, str] = {}
        self._known: dict[tuple[str, str], _Known] = {}
        named = {
            "pictures and films": dict.fromkeys(item.media for item in items if item.media),
            "tracks": dict.fromkeys(item.track for item in items if item.track),
        }
        self._open = {name for names in named.values() for name in _drawn(list(names))}
        self.looked = {what: (min(len(names), OPENED), len(names)) for what, names in named.items()}

    @property
    def sampled(self) -> bool:
        """Whether some files were not opened."""
        return any(opened < there for opened, there in self.looked.values())

    def get(self, name: str, kind: str) -> _Known:
        if (name, kind) not in self._known:
            self._known[name, kind] = self._look(name, kind)
        return self._known[name, kind]

    def _look(self, name: str, kind: str) -> _Known:
        path, size = self._found(name)
        fault = ""
        suffix = f".{name.rpartition('.')[2].lower()}"
        sort = "track" if kind == "track" else "picture" if suffix in PICTURES else "film" if suffix in FILMS else ""
        if not path:
            fault = f"got {name}, which lies outside the study's folder; expected a file inside it"
        elif size < 0:
            fault = f"got {name}, which does not exist; expected it in {self.folder}"
        elif not sort:
            fault = f"got {name}; browsers show {listed((*PICTURES, *FILMS))}"
        elif size > LARGEST[sort]:
            most = LARGEST[sort] / 1e6
            fault = f"got {name} of {size / 1e6:.1f} MB; expected a {sort} of at most {most:g} MB"
        elif not size:
            fault = f"got {name}, which is empty; expected a {sort}"
        if fault:
            return _Known(fault, "", 0, 0)
        if name not in self._open:
            return _Known("", name, 0, 0)
        try:
            seconds, rows = OPEN[sort](Path(path))
        except Exception as broken:  # noqa: BLE001 each reader has errors of its own
            return _Known(f"{name} cannot be opened as a {sort}: {broken}", "", 0, 0)
        return _Known("", hashlib.sha256(Path(path).read_bytes()).hexdigest(), seconds, rows)

    def _found(self, name: str) -> tuple[str, int]:
        """Where a file is, with no link on the way, and its size (-1: there is none); nothing if outside the folder."""
        path = os.path.normpath(os.path.join(self.folder, name))  # noqa: PTH118 a Path takes ten times as long
        parent, last = os.path.split(path)
        if parent not in self._parents:
            self._parents[parent] = os.path.realpath(parent)
        path = f"{self._parents[parent]}{os.sep}{last}"
        try:
            said = os.lstat(path)
            if stat.S_ISLNK(said.st_mode):
                path = os.path.realpath(path)
                said = os.lstat(path)
        except OSError:
            said = None
        inside = path.startswith(self.folder + os.sep)
        return path if inside else "", said.st_size if said and stat.S_ISREG(said.st_mode) else -1


def _drawn(names: list[str]) -> list[str]:
    """All names, or so many of them by chance that they are soon opened."""
    return names if len(names) <= OPENED else random.Random(0).sample(names, OPENED)


def _picture(path: Path) -> tuple[float, int]:
    from beholder.io import image

    with image.opened(path) as picture:
        picture.load()  # to the end: half a file opens, too
    return 0.0, 1


def _film(path: Path) -> tuple[float, int]:
    from beholder.io.film import open_film

    with open_film(path) as film:
        if not film.streams.video:
            raise ValueError("it has no frames")
        next(film.decode(video=0))
        return float(film.duration or 0) / 1e6, int(film.streams.video[0].frames)


def _track(path: Path) -> tuple[float, int]:
    said = parse_json(path.read_text("utf-8"))
    rows = said["track"] if isinstance(said, dict) else said
    times = [float(t) for t, _, _ in rows]
    if len(rows) < 2 or not all(a < b < math.inf for a, b in pairwise(times)):
        raise ValueError("its times do not increase; expected rows of [seconds, x, y]")
    if not all(-1 <= float(value) <= 2 for row in rows for value in row[1:]):  # a little outside can be
        raise ValueError("x or y lies far outside the picture; expected fractions of its size, 0 … 1")
    return round(times[-1] - times[0], 2), len(rows)


OPEN: dict[str, Callable[[Path], tuple[float, int]]] = {"picture": _picture, "film": _film, "track": _track}


def _design(study: Study) -> Iterator[Finding]:
    """Trials can be drawn for several participants, and the items are not more than these can answer."""
    import numpy as np

    from beholder.study.design.drawing import draw

    exposure: Counter[str] = Counter()
    draws = DRAWS if len(study.items) <= MANY else 1  # among so many, nobody takes what others need
    try:
        for seed in range(draws):
            for one in draw(study, exposure, np.random.default_rng(seed)):
                if one.use == "trial":
                    exposure.update(filter(None, (one.item, one.other)))
    except Misuse as fault:
        yield Finding(True, f"trials cannot be drawn: {fault}")
        return
    shown: Counter[str] = Counter()  # a two-alternative trial shows two
    there: Counter[str] = Counter()
    for item in study.items:
        if item.use == "trial":
            there[item.kind] += 1
            shown[item.kind] += exposure[item.id]
    for name, items in there.items():
        answers = study.participants * shown[name] / draws / items
        if study.participants and answers < 2:
            yield Finding(
                False,
                f"class {name}: {count_of(study.participants, 'participant')} give each of {items} items {answers:.1f} "
                "answers; κ needs 2 or more: show fewer items or ask more people",
            )
