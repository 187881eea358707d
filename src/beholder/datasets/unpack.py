"""Taking one folder out of an archive of a repository: verified by its git tree id, and never written elsewhere."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from beholder.datasets.record import Folder
from beholder.errors import Misuse
from beholder.io.atomic import FULL, disk_full
from beholder.io.git_tree import EXECUTABLE, PLAIN, Blob, pieces, tree_id

LARGEST = 32 << 30  # bytes of a whole archive, unpacked
SPARE = 1.1  # a record's megabytes are rounded

Files = dict[str, tuple[str, bytes]]  # path → mode and blob id


def unpack(archive: Path, folders: Sequence[Folder], root: Path) -> None:
    """Write some folders of an archive below `root`, and check each against its tree id; `Misuse` where one differs."""
    found: dict[Folder, Files] = {folder: {} for folder in folders}
    room = {folder: SPARE * (folder.megabytes + 0.1) * 1e6 for folder in folders}
    try:
        for member, path, file in _files(archive):
            for folder in folders:
                if (inner := _inside(path, folder.folder)) is None:
                    continue
                room[folder] -= member.size
                if room[folder] < 0 or len(found[folder]) >= folder.files:
                    raise Misuse(f"{_name(folder)} holds more than its record says; nothing of it was kept")
                found[folder][inner] = _write(file, member, root / folder.to / inner)
                break
    except Misuse:
        raise
    except Exception as fault:  # noqa: BLE001  (over damaged bytes tarfile raises whatever its parts do)
        if isinstance(fault, OSError) and fault.errno in FULL:
            raise disk_full(root) from None
        raise Misuse(f"{archive.name} is no whole archive ({fault}); nothing of it was kept; fetch it again") from None
    _verify(found)


def _files(archive: Path) -> Iterator[tuple[tarfile.TarInfo, PurePosixPath, BinaryIO]]:
    """The plain files of an archive with their paths in the repository; anything that leads elsewhere is refused."""
    left = LARGEST
    with tarfile.open(archive, "r|gz") as opened:
        for member in opened:
            left -= member.size
            if left < 0:
                raise Misuse(f"{archive.name} unpacks to more than {LARGEST >> 30} GB; nothing of it was kept")
            path = PurePosixPath(*PurePosixPath(member.name).parts[1:])  # below NAME-COMMIT/
            if PurePosixPath(member.name).is_absolute() or ".." in path.parts or "\\" in member.name:
                raise Misuse(f"{archive.name} holds {member.name!r}, which leads out of it; nothing of it was kept")
            if member.isfile() and (file := opened.extractfile(member)):
                yield member, path, file  # type: ignore[misc]


def _inside(path: PurePosixPath, folder: str) -> str | None:
    """The path within a folder of the repository, or nothing where it lies elsewhere."""
    if not folder:
        return path.as_posix()
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else None


def _write(file: BinaryIO, member: tarfile.TarInfo, target: Path) -> tuple[str, bytes]:
    """Write one file and hash it on the way."""
    target.parent.mkdir(parents=True, exist_ok=True)
    blob, mode = Blob(member.size), EXECUTABLE if member.mode & 0o100 else PLAIN
    with target.open("xb") as out:
        for piece in pieces(file):
            blob.add(piece)
            out.write(piece)
    target.chmod(0o755 if mode == EXECUTABLE else 0o644)
    return mode, blob.id


def _verify(found: Mapping[Folder, Files]) -> None:
    for folder, files in found.items():
        if not files:
            raise Misuse(f"{_name(folder)} is not in the archive; nothing of it was kept")
        if tree_id(files) != folder.tree:
            raise Misuse(
                f"{_name(folder)} is not what its record says ({len(files)} of {folder.files} files, tree "
                f"{tree_id(files)[:12]}, expected {folder.tree[:12]}); nothing of it was kept"
            )


def _name(folder: Folder) -> str:
    return f"{folder.repository}{folder.folder and f', folder {folder.folder},'} at {folder.commit[:10]}"
