"""Whether a study can be served: its database, its files, its design. `serve` does not start where a fault is found."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from beholder.engines.progress import Silent, Watch
from beholder.errors import Misuse, listed
from beholder.study.design.file import Shown, Study
from beholder.study.design.wording import FILL_IN
from beholder.study.operations.place import Place

LARGEST = {"picture": 5_000_000, "film": 30_000_000, "track": 1_000_000}  # bytes: people pay for them, on phones
PICTURES, FILMS = (".png", ".jpg", ".jpeg", ".webp", ".gif"), (".mp4", ".webm")  # what every browser shows
DRAWS = 5


class Finding(NamedTuple):
    """Something that is wrong with a study (a fault: it is not served) or that should be known (a remark)."""

    fault: bool
    says: str


def check(at: Place, store: Any = None, *, public: bool = True, today: date | None = None, watch: Watch | None = None
          ) -> list[Finding]:  # fmt: skip
    """All that is found, faults first; `public`: others than the researcher will see it."""
    watch = watch or Silent()
    found = [*_database(store), *_texts(at.study, public), *_dates(at.study, today or date.today())]
    found += _assets(at, watch)
    found += _design(at.study)
    return sorted(found, key=lambda one: not one.fault)


def refuse(at: Place, findings: list[Finding]) -> None:
    """Raise where there is a fault."""
    faults = [one.says for one in findings if one.fault]
    if faults:
        raise Misuse(
            f"{at.study.name} cannot be served: {listed(faults, most=5, by='; ')}. "
            f"Mend this, then try: beholder study check {at.file}"
        )


def _database(store: Any) -> Iterator[Finding]:
    """A row is written, read and deleted: folders that cannot be written to have lost whole studies."""
    if store is None:
        return
    try:
        store.round_trip()
    except Exception as fault:  # noqa: BLE001 each database has errors of its own
        yield Finding(True, f"the database does not keep what is written ({fault}); mend its rights or its space")


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
        yield Finding(public, f"{FILL_IN} still stands in {listed(left)}; only you know what to write there")
    if study.platform == "prolific" and not study.codes.return_to:
        yield Finding(
            False,
            "codes.return_to is empty: people must copy their code by hand; Prolific's address for it is "
            "https://app.prolific.com/submissions/complete?cc={code}",
        )
    if not study.exclude:
        yield Finding(False, "no exclusion rule is stated; state them before anything is collected")
    if not study.right and study.trial != "rating":
        yield Finding(False, "`right` is empty: no answer will count as right or wrong")


def _dates(study: Study, today: date) -> Iterator[Finding]:
    if study.retain_until is None:
        yield Finding(False, "retain_until is not set: ethics boards ask until when answers are kept")
    elif study.retain_until < today:
        yield Finding(
            True, f"retain_until is {study.retain_until}, which has passed; beholder study purge, or set another"
        )


def _assets(at: Place, watch: Watch) -> Iterator[Finding]:
    """Every file that an item names is there, opens and is small; no two items show the same."""
    seen: dict[tuple[str, str], list[str]] = defaultdict(list)
    lengths: dict[str, dict[str, set[tuple[float, int]]]] = defaultdict(lambda: defaultdict(set))
    files = _Files(at.folder)
    watch.begin(at.study.name, len(at.study.items), 0, "items")
    for item in at.study.items:
        faults = list(_needs(item))
        marks = []
        for name, kind in ((item.media, "media"), (item.track, "track")):
            known = files.get(name, kind) if name else _Known("", "", 0.0, 0)
            faults += [f"item {item.id}: {known.fault}"] if known.fault else []
            marks.append(known.mark)
            if kind == "track" and name and not known.fault:
                lengths[item.stimulus][item.kind].add((known.seconds, known.rows))
        if not faults and item.use == "trial":
            seen[marks[0], marks[1]].append(item.id)
        yield from (Finding(True, one) for one in faults)
        watch.step(bool(faults))
    for several in seen.values():
        if len(several) > 1:
            yield Finding(True, f"items {listed(several, most=4)} show the same; expected each thing once")
    for stimulus, by in lengths.items():
        if len({length for own in by.values() for length in own}) > 1 and len(set(map(frozenset, by.values()))) > 1:
            of = f" of {stimulus}" if stimulus else ""
            yield Finding(
                False, f"tracks{of} differ in length or frame rate between classes: people can tell them by that"
            )


def _needs(item: Shown) -> Iterator[str]:
    if item.show == "track" and not item.track:
        yield f"item {item.id} shows a track and names none; expected a file in `track`"
    if item.show != "track" and not item.media:
        yield f"item {item.id} shows a {item.show} and names none; expected a file in `media`"


class _Known(NamedTuple):
    """What is known of a file: a digest of what it holds; of a track, its length and its rows."""

    fault: str
    mark: str
    seconds: float
    rows: int


class _Files:
    """Files of a study, each looked at once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self._known: dict[tuple[str, str], _Known] = {}

    def get(self, name: str, kind: str) -> _Known:
        if (name, kind) not in self._known:
            self._known[name, kind] = self._look(name, kind)
        return self._known[name, kind]

    def _look(self, name: str, kind: str) -> _Known:
        path = (self.folder / name).resolve()
        if not path.is_relative_to(self.folder):
            return _Known(f"got {name}, which lies outside of the study's folder; expected a file inside it", "", 0, 0)
        if not path.is_file():
            return _Known(f"got {name}, which is no file; expected it in {self.folder}", "", 0, 0)
        suffix = path.suffix.lower()
        sort = "track" if kind == "track" else "picture" if suffix in PICTURES else "film" if suffix in FILMS else ""
        if not sort:
            return _Known(f"got {name}; browsers show {listed((*PICTURES, *FILMS))}", "", 0, 0)
        size = path.stat().st_size
        if size > LARGEST[sort]:
            most = LARGEST[sort] / 1e6
            return _Known(f"got {name} of {size / 1e6:.1f} MB; expected a {sort} of at most {most:g} MB", "", 0, 0)
        try:
            seconds, rows = OPEN[sort](path)
        except Exception as fault:  # noqa: BLE001 each reader has errors of its own
            return _Known(f"{name} cannot be opened as a {sort}: {fault}", "", 0, 0)
        return _Known("", hashlib.sha256(path.read_bytes()).hexdigest(), seconds, rows)


def _picture(path: Path) -> tuple[float, int]:
    from PIL import Image

    with Image.open(path) as image:
        image.load()  # to the end: half a file opens, too
    return 0.0, 1


def _film(path: Path) -> tuple[float, int]:
    import av

    with av.open(str(path)) as film:
        if not film.streams.video:
            raise ValueError("it has no pictures")
        next(film.decode(video=0))
        return float(film.duration or 0) / 1e6, int(film.streams.video[0].frames)


def _track(path: Path) -> tuple[float, int]:
    said = json.loads(path.read_text("utf-8"))
    rows = said["track"] if isinstance(said, dict) else said
    times = [float(t) for t, _, _ in rows]
    if len(rows) < 2 or any(b <= a for a, b in pairwise(times)):
        raise ValueError("its times do not rise; expected rows of [seconds, x, y]")
    if not all(-1 <= float(value) <= 2 for row in rows for value in row[1:]):  # a little outside can be
        raise ValueError("x or y lies far outside; expected shares of the picture, 0 … 1")
    return round(times[-1] - times[0], 2), len(rows)


OPEN: dict[str, Callable[[Path], tuple[float, int]]] = {"picture": _picture, "film": _film, "track": _track}


def _design(study: Study) -> Iterator[Finding]:
    """Trials can be drawn for several participants, and the items are not more than these can answer."""
    import numpy as np

    from beholder.study.design.drawing import draw

    exposure: dict[str, int] = {}
    try:
        for seed in range(DRAWS):
            for one in draw(study, exposure, np.random.default_rng(seed)):
                for id in filter(None, (one.item, one.other)):
                    exposure[id] = exposure.get(id, 0) + (one.use == "trial")
    except Misuse as fault:
        yield Finding(True, f"trials cannot be drawn: {fault}")
        return
    for name, many in study.per_class.items():
        items = sum(item.kind == name and item.use == "trial" for item in study.items)
        if study.participants and study.participants * many < 2 * items:
            share = study.participants * many / items
            yield Finding(
                False,
                f"class {name}: {study.participants} participants give each of {items} items {share:.1f} answers; "
                "κ needs 2 or more: show fewer items or ask more people",
            )
