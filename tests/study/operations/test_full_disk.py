"""On a disk that is full, or may only be read, nothing is half written: one sentence, exit code 2."""

import shutil
import subprocess
import sys
from types import SimpleNamespace

import pytest

import study_places
from beholder.errors import Misuse
from beholder.study.design.file import read
from beholder.study.operations import purge
from beholder.study.server.security import key_place, study_key
from beholder.study.server.store import Store

SHELL = f"""
set -u
mkdir -p disk && mount -t tmpfs -o size=4m none disk || exit 77
beholder() {{ {sys.executable} -m beholder.cli study "$@"; }}
try() {{ name=$1; shift; beholder "$@" > "$name.out" 2> "$name.err"; echo $? > "$name.code"; }}
mkdir disk/db && cp study/answers.sqlite study/answers.sqlite.key disk/db/
head -c 100M /dev/zero > disk/filler 2> /dev/null
try export export study/study.toml --out disk/export
try backup backup study/study.toml --out disk/copies
try purge purge study/study.toml --people --yes --db disk/db/answers.sqlite
try from_full export study/study.toml --db disk/db/answers.sqlite --out export
rm disk/filler
mount -o remount,ro disk || exit 77
try read_export export study/study.toml --out disk/export
try read_backup backup study/study.toml --out disk/copies
try read_purge purge study/study.toml --people --yes --db disk/db/answers.sqlite
cp -r disk left
"""


@pytest.fixture(scope="module")
def tried(tmp_path_factory):
    """The exit code and the sentence of each command."""
    place = tmp_path_factory.mktemp("full")
    if not shutil.which("unshare"):
        pytest.skip("there is no `unshare`, so no small disk can be made")
    file = study_places.write(place / "study", top='platform = "prolific"')
    db = str(place / "study" / "answers.sqlite")
    store = Store(db, study_key(key_place(db, place)))
    store.open_study(read(file))
    for number in range(30):
        store.enter("small", "prolific", f"{number:024x}", 1e9)
    store.close()
    done = subprocess.run(
        ["unshare", "-rm", "bash", "-c", SHELL], cwd=place, check=False, capture_output=True, text=True, timeout=120
    )
    codes = {one.stem: (int(one.read_text()), one.with_suffix(".err").read_text()) for one in place.glob("*.code")}
    if len(codes) < 7:
        pytest.skip(f"no small disk can be made here: {done.stderr[-200:]}")
    return codes, place / "left"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "says"), [
    ("export", "no space left for disk/export"), ("backup", "no space left for disk/copies"),
    ("purge", "answers.sqlite cannot be opened: disk I/O error; free some space"),
    ("from_full", "then try again: SQLite writes files beside the database even when it only reads"),
    ("read_export", "disk/export cannot be written: Read-only file system"),
    ("read_backup", "disk/copies cannot be written: Read-only file system"),
    ("read_purge", "answers.sqlite cannot be written: attempt to write a readonly database; "),
])  # fmt: skip
def test_it_is_a_sentence(tried, name, says):
    code, said = tried[0][name]
    assert code == 2, said
    assert says in said
    assert "Traceback" not in said


@pytest.mark.slow
def test_nothing_is_left_half(tried):
    left = {str(file.relative_to(tried[1])) for file in tried[1].rglob("*") if file.is_file()}
    kept = {name for name in left if not name.endswith(("-shm", "-wal"))}
    assert kept == {"db/answers.sqlite", "db/answers.sqlite.key"}
    assert [folder.name for folder in tried[1].iterdir()] == ["db"], "no empty folders"


def test_deleted_means_gone_so_there_must_be_room_to_write_the_file_anew(tmp_path, monkeypatch):
    store = Store(str(tmp_path / "answers.sqlite"), b"k" * 32)
    study = read(study_places.write(tmp_path / "study"))
    store.open_study(study)
    store.enter("small", "open", "somebody", 1.0)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=0))
    with pytest.raises(Misuse, match=r"got 0.0 MB free .*; nothing was deleted: free some space, and try again"):
        purge.purge_people(store, study)
    assert store.find("small", "open", "somebody") is not None
    store.close()
