"""An exhibition as a study folder: study.toml, items.csv, media/, tracks/, about.json, each written whole."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from beholder.engines.progress import Silent, Watch
from beholder.errors import Misuse
from beholder.io import toml
from beholder.io.atomic import write_whole
from beholder.study.design.exhibition import Exhibition, Film, Piece, Still
from beholder.study.design.faults import sentence
from beholder.study.design.file import Study
from beholder.study.design.meant import unlikely, unmeant
from beholder.study.design.wording import CONSENT, EXCLUDE, FILL_IN, FORM

COLUMNS = ("id", "class", "group", "system", "use", "expected", "show", "media", "track", "stimulus", "note")
ALIKE = 0.005  # of the picture: two tracks that are nowhere further apart are the same
BYTES = 400_000  # a second of film, at most
LONGEST = 1280  # px: larger pictures are made smaller, for they travel to phones


def write(
    shown: Exhibition, folder: Path, *, study: Mapping[str, Any] | None = None, watch: Watch | None = None
) -> Path:
    """Write an exhibition as a study folder; study.toml comes last, so that what a kill leaves is no study.

    A track is JSON: a list of [seconds, x, y], x and y as shares of the picture, to 4 decimals.
    """
    watch = watch or Silent()
    refuse_duplicates(shown.pieces)
    media, tracks = _media_names(shown.pieces), _track_names(shown.pieces)
    items = [_item(piece, media, tracks) for piece in shown.pieces]
    file = _study_file(shown, folder, study or {})
    _check(file, items)
    for place in ("media", "tracks"):
        (folder / place).mkdir(parents=True, exist_ok=True)
    stills = {piece.media.name: piece.media for piece in shown.pieces}
    watch.begin("study: pictures, films and tracks", len(stills) + len(tracks), 0)
    for name, one in stills.items():
        with unreadable_refused():
            _write_media(one, folder / media[name])
        watch.step(failed=False)
    for piece in shown.pieces:
        if piece.track is not None:
            write_whole(folder / tracks[piece.id], track_text(piece))
            watch.step(failed=False)
    _refuse_same_files(folder, shown.pieces, media)
    write_whole(folder / "items.csv", _table(items))
    write_whole(folder / "about.json", json.dumps(dict(shown.about), indent=1, ensure_ascii=False, default=str) + "\n")
    write_whole(folder / "study.toml", toml.written(file | {"items": "items.csv"}))
    return folder / "study.toml"


@contextmanager
def unreadable_refused() -> Iterator[None]:
    """Refuse a picture or film that cannot be read, with the sentence of its reader, which names the file."""
    try:
        yield
    except Misuse:
        raise
    except ValueError as fault:
        raise Misuse(str(fault)) from fault


def track_text(piece: Piece) -> str:
    """A track as it is written."""
    track = piece.track
    assert track is not None
    return json.dumps([[round(float(value), 4) for value in row] for row in track], separators=(",", ":"))


def refuse_duplicates(pieces: Sequence[Piece]) -> None:
    """Refuse two tracks on one picture that nobody could tell apart."""
    import numpy as np

    seen: dict[str, list[Piece]] = {}
    for piece in pieces:
        if piece.track is None or piece.use != "trial":
            continue
        for other in seen.setdefault(piece.group or piece.id, []):
            assert other.track is not None
            same = piece.track.shape == other.track.shape and np.abs(piece.track - other.track).max() < ALIKE
            if same:
                raise Misuse(
                    f"got the same track twice: {other.id} and {piece.id}; expected different tracks; name each "
                    "model once, and give a model without randomness one repeat"
                )
        seen[piece.group or piece.id].append(piece)


def _refuse_same_files(folder: Path, pieces: Sequence[Piece], media: Mapping[str, str]) -> None:
    """Refuse two clips, or two pictures that are judged by themselves, with the same bytes."""
    from beholder.store.digest import file_digest

    seen: dict[str, str] = {}
    for piece in pieces:
        if piece.show == "track" or piece.use != "trial":
            continue
        digest = file_digest(folder / media[piece.media.name])
        if seen.setdefault(digest, piece.id) != piece.id:
            raise Misuse(f"got the same {piece.show} twice: {seen[digest]} and {piece.id}; expected each once")


def _slug(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-")[:60] or "x"


def _media_names(pieces: Sequence[Piece]) -> dict[str, str]:
    """Where each picture or film goes: of two that have the same name, one file is made."""
    found: dict[str, str] = {}
    for piece in pieces:
        suffix = ".jpg" if isinstance(piece.media, Still) else ".mp4"
        found.setdefault(piece.media.name, f"media/{len(found) + 1:04}-{_slug(piece.media.name)}{suffix}")
    return found


def _track_names(pieces: Sequence[Piece]) -> dict[str, str]:
    with_track = (piece for piece in pieces if piece.track is not None)
    return {piece.id: f"tracks/{at:04}-{_slug(piece.id)}.json" for at, piece in enumerate(with_track, 1)}


def _item(piece: Piece, media: Mapping[str, str], tracks: Mapping[str, str]) -> dict[str, str]:
    places = {"media": media[piece.media.name], "track": tracks.get(piece.id, ""), "class": piece.kind}
    return {key: places[key] if key in places else str(getattr(piece, key)) for key in COLUMNS}


def _table(items: Sequence[Mapping[str, str]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(items)
    return text.getvalue()


def _write_media(media: Still | Film, path: Path) -> None:
    if isinstance(media, Film):
        from beholder.io.video import write_small

        most = round(BYTES * (media.seconds + 1))
        write_small(media.frames(), path, seconds=media.seconds, most=most, crf=20)
        return
    from PIL import Image

    from beholder.io.atomic import whole_file

    picture = Image.fromarray(media.pixels())
    picture.thumbnail((LONGEST, LONGEST), Image.Resampling.LANCZOS)  # nothing is enlarged
    with whole_file(path) as file:  # without metadata: nothing but the pixels
        picture.convert("RGB").save(file, format="JPEG", quality=92, subsampling=0)


def _study_file(shown: Exhibition, folder: Path, study: Mapping[str, Any]) -> dict[str, Any]:
    """The study file, without its items."""
    file: dict[str, Any] = {
        "name": _slug(folder.absolute().name).lower(),
        "title": shown.title,
        "trial": shown.trial,
        "instructions": shown.instructions,
        "debrief": shown.debrief,
        "consent": {
            "version": "1",
            "contact": f"{FILL_IN}: name and address of the person who answers questions",
            "text": CONSENT,
        },
        "trials": {key: value for key, value in shown.trials.model_dump().items() if value != {}},
        "right": dict(shown.right),
        "questions": [question.model_dump(exclude_defaults=True) for question in shown.questions],
        "form": FORM,
        "exclude": [rule for rule in EXCLUDE if shown.trial != "rating" or rule["rule"] != "one_answer"],
    }
    for key, value in [*shown.study.items(), *study.items()]:
        both = isinstance(value, Mapping) and isinstance(file.get(key), Mapping)
        file[key] = {**file[key], **value} if both else value
    return file


def refuse_wrong(study: Mapping[str, Any]) -> None:
    """Refuse keys of a study file that its reader would refuse, before anything is made."""
    from pydantic import ValidationError

    least = {
        "name": "x",
        "title": "x",
        "questions": [{"text": "x", "answers": [{"value": "a", "label": "a"}, {"value": "b", "label": "b"}]}],
        "instructions": "x",
        "consent": {"version": "1", "text": "x", "contact": "x"},
        "trials": {"count": 1, "practice": 0, "checks": 0},
        "items": [{"id": "x", "class": "x"}],
    }
    for said in unmeant(study):
        raise Misuse(f"this does not make a study: {said}")
    try:
        Study.model_validate(least | dict(study))
    except ValidationError as fault:
        raise Misuse(f"this does not make a study: {sentence(fault, Study)}") from fault


def _check(file: Mapping[str, Any], items: Sequence[Mapping[str, str]]) -> None:
    """Refuse what the study file's own reader would refuse, before anything is written."""
    import numpy as np
    from pydantic import ValidationError

    from beholder.study.design.drawing import draw

    try:
        study = Study.model_validate({**file, "items": [{k: v for k, v in item.items() if v} for item in items]})
    except ValidationError as fault:
        raise Misuse(f"this does not make a study: {sentence(fault, Study)}") from fault
    for said in (*unmeant(file), *unlikely(study)):
        raise Misuse(f"this does not make a study: {said}")
    draw(study, {}, np.random.default_rng(0))  # it says what is lacking where nobody could be given trials
