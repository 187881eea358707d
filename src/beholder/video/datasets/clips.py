"""Anybody's clips: a folder of them, with a manifest that says what each should show, or several folders alike."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from beholder.core.cite import source
from beholder.core.sample import Dataset, Sample, remark
from beholder.errors import Misuse, NeedsDataset, printable
from beholder.store.digest import digest
from beholder.video.files import manifest as manifests
from beholder.video.files.manifest import Record
from beholder.video.files.pictures import natural
from beholder.video.files.stream import check_rate
from beholder.video.files.suffixes import clips_in, is_frames
from beholder.video.scene import Scene
from beholder.video.types import Prompt

SEVERAL = "present in several formats"


@source("Ling2025")
def clips(
    path: Path | None = None, *, manifest: str = "", columns: str = "", rate: float = math.nan, folders: str = ""
) -> Dataset[Prompt, Scene]:
    """One sample for each clip in a folder and its subfolders, named by the clip's path in it without the suffix.

    A clip is a file (mp4, webm, gif, npz …) or a folder of frames. Prompts come from `manifest` (a path relative to the
    current folder, else to the clips' folder), or from manifest.csv, .tsv, .json or .jsonl in the clips' folder. Its
    columns may be called: file, video or id; prompt, text or caption; subject; rate or fps; size, camera, interaction;
    `columns` says any other: columns='file=Clip name,prompt=Instruction'. Other columns become tags. Without a
    manifest, prompts are blank. A rate in the manifest, or `rate` for all clips, overrides the rate in the files. With
    a manifest and no folder, its rows are the samples.

    `folders` takes several folders, separated by semicolons: the samples are all names found in any of them, with blank
    prompts. This is the default dataset when all models are folders.
    """
    if folders:
        return union([Path(folder) for folder in folders.split(";")], rate=rate)
    if path is None and not manifest:
        raise NeedsDataset("it needs clips: --dataset clips:FOLDER, or clips(manifest=FILE)")
    if columns and not _manifest(path, manifest):
        raise Misuse(f"got columns={columns} and no manifest; expected one in {path}, or manifest=FILE")
    ids, doubles = _ids([path]) if path else ((), ())
    said = _manifest(path, manifest)
    records = manifests.read(said, columns) if said else []
    if path is None:
        _refuse_outside(records, said)
        _refuse_doubles(records, said)
        ids = tuple(record.name for record in records)
    known = manifests.matched(ids, records)
    used = {record.name for record in known.values()}
    remarks = (
        *doubles,
        *remark([id for id in ids if id not in known] if records else [], "clip", "not in the manifest"),
        *remark([record.name for record in records if record.name not in used], "row", "of no clip that is here"),
    )
    load = _Load(known, check_rate("clips", rate), dict(_clips(path)) if path else {})
    return _dataset(f"clips_{(path or said or Path()).stem}", ids, load, remarks)


def union(folders: Sequence[Path], *, rate: float = math.nan) -> Dataset[Prompt, Scene]:
    """All names of clips in some folders, with blank prompts."""
    ids, remarks = _ids(folders)
    told = tuple(said for said in remarks if SEVERAL not in said)  # which format is taken is said where it is read
    return _dataset("clips", ids, _Load({}, check_rate("clips", rate)), told)


def _ids(folders: Iterable[Path]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of the clips below folders, in natural order, and remarks: what is there twice, what has no name."""
    found: dict[str, list[str]] = {}
    unnamed: list[str] = []
    for folder in folders:
        for id, clip in _clips(folder):
            if id.encode("utf-8", "replace").decode() == id:
                found.setdefault(id, []).append(clip.name)
            else:
                unnamed.append(printable(id.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")))
    several = [f"{id} ({', '.join(names)})" for id, names in found.items() if len(names) > 1]
    return tuple(sorted(found, key=natural)), (
        *remark(several, "clip", SEVERAL),
        *remark(unnamed, "clip", "left out because its name is not valid UTF-8; rename it"),
    )


def _clips(folder: Path) -> list[tuple[str, Path]]:
    if not folder.is_dir():
        raise Misuse(f"got {folder}, which is not a folder; expected one with clips")
    if is_frames(folder):
        raise Misuse(f"got {folder}, which holds the frames of one clip; expected its parent folder")
    found = list(clips_in(folder))
    if not found:
        inside = ", ".join(sorted(path.name for path in folder.iterdir())[:3]) or "nothing"
        raise Misuse(f"got {folder} with {inside}; expected clips such as a.mp4, or folders of frames")
    return found


def _manifest(folder: Path | None, said: str) -> Path | None:
    """The manifest that is named, or lies in the folder."""
    if not said:
        return manifests.found(folder) if folder else None
    places = [Path(said).expanduser(), *([folder / said] if folder else [])]
    file = next((place for place in places if place.is_file()), None)
    if file is None:
        raise Misuse(f"got the manifest {said}, which is not a file; expected a table, .csv or .json")
    return file


def _refuse_outside(records: Sequence[Record], file: Path | None) -> None:
    """Names are looked up in folders of answers: none may lead out of them."""
    for record in records:
        if PurePosixPath(record.name).is_absolute() or ".." in PurePosixPath(record.name).parts:
            raise Misuse(f"{file}: got {record.name!r}; expected names inside a folder of clips, without ..")


def _refuse_doubles(records: Sequence[Record], file: Path | None) -> None:
    names = [record.name for record in records]
    if twice := [name for name in names if names.count(name) > 1]:
        raise Misuse(f"{file}: got {twice[0]!r} twice; expected one row for each clip")


@dataclass(frozen=True)
class _Load:
    """Makes samples of what a manifest says."""

    records: dict[str, Record]
    rate: float
    files: dict[str, Path] = field(default_factory=dict)  # where the clips lie, for whoever wants to look at them

    def __call__(self, id: str) -> Sample[Prompt, Scene]:
        said = self.records.get(id, Record(id))
        rate = said.rate if math.isnan(self.rate) else self.rate
        scene = Scene(said.text, said.subject, said.size, said.camera, said.interaction)
        return Sample(id, Prompt(said.text, said.subject, rate=rate), scene, _tags(said))


def _tags(said: Record) -> dict[str, str]:
    """Further columns, and what kind of scene it is; a prompt must not hold a tag's value, so what it says is none."""
    kinds = {"size": said.size, "camera": said.camera, "interaction": said.interaction}
    every = {**{name: kind for name, kind in kinds.items() if kind}, **said.more}
    return {name: text for name, text in every.items() if text not in (said.text, said.subject)}


def _dataset(name: str, ids: tuple[str, ...], load: _Load, remarks: tuple[str, ...]) -> Dataset[Prompt, Scene]:
    content = digest([load(id) for id in ids])
    about = "Your own clips, compared by name; a manifest says what they should show."
    return Dataset(
        name, ids, load, cite="Ling2025", licence="yours to say", content=content, about=about, remarks=remarks
    )
