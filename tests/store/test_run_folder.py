"""A run's folder: what a kill has left in it is taken up or removed."""

import errno
import os
import re
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from beholder.errors import Misuse
from beholder.store import paths, run_folder, seal
from beholder.store.ledger import Ledger
from beholder.store.run_folder import Config


def own(folder, **how):
    with run_folder.own(folder, Config("one"), **how) as owned:
        owned.ledger.commit()


def test_a_kill_while_a_run_is_removed_leaves_a_folder_that_can_be_begun_anew(tmp_path, monkeypatch):
    own(tmp_path / "run")
    (tmp_path / "run" / "answers").mkdir()

    def killed(path):
        raise KeyboardInterrupt

    monkeypatch.setattr(shutil, "rmtree", killed)
    with pytest.raises(KeyboardInterrupt):
        own(tmp_path / "run", fresh=True)
    monkeypatch.undo()
    own(tmp_path / "run", fresh=True)
    assert not (tmp_path / "run" / "answers").exists()


def test_drafts_that_a_kill_has_left_are_removed_and_nothing_else(tmp_path):
    own(tmp_path)
    for name in (".scores.csv.0123abcd", ".run.json.0123abcd", ".scores.csv.mine", ".notes"):
        (tmp_path / name).write_text("half of it")
    own(tmp_path)
    assert {one.name for one in tmp_path.glob(".*")} == {".lock", ".scores.csv.mine", ".notes"}


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """To have another cache, as after it was deleted or BEHOLDER_CACHE was set."""

    def at(name):
        monkeypatch.setenv("BEHOLDER_CACHE", str(tmp_path / name))
        seal._key.cache_clear()
        return tmp_path / name

    yield at
    seal._key.cache_clear()


def test_a_cache_that_was_deleted_costs_no_run_anything_and_another_one_is_refused(tmp_path, cache):
    own(tmp_path / "run")
    place = cache("first")
    with closing(Ledger(tmp_path / "run" / run_folder.LEDGER)) as ledger:
        ledger.enter("bench", "model", "id", seal.seal(1))
    shutil.rmtree(place)
    cache("first")
    own(tmp_path / "run")
    other = cache("second")
    with pytest.raises(Misuse, match=f"another key than that of {other}; set BEHOLDER_CACHE as it was"):
        own(tmp_path / "run")
    own(tmp_path / "run", fresh=True)


def test_nobody_is_refused_for_damage_or_for_a_key_that_was_never_kept(tmp_path, cache, monkeypatch):
    def write(blob):
        with closing(Ledger(tmp_path / "run" / run_folder.LEDGER)) as ledger:
            ledger.enter("bench", "model", "id", blob)
            return ledger.unreadable("bench")

    cache("one")
    own(tmp_path / "run")
    assert write(b"damaged") == 1
    own(tmp_path / "run")
    (tmp_path / "file").touch()
    monkeypatch.setattr(seal, "spare_keys", lambda _: tmp_path / "file" / "keys")  # no folder can be made there
    for _ in range(2):
        cache("file")
        own(tmp_path / "run", fresh=True)
        assert write(seal.seal(1)) == 0
        cache("file")
        assert write(b"") == 1
        own(tmp_path / "run")


def test_the_key_of_another_account_is_said(cache, monkeypatch):
    place = cache("theirs")
    seal.prepare_key()
    theirs = (place / "key").read_bytes()
    monkeypatch.setattr(Path, "open", lambda *_: (_ for _ in ()).throw(PermissionError))
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(Misuse, match=f"cannot read {place / 'key'}, the key of a cache that another account has made"):
        seal.prepare_key()
    cache("theirs")
    assert seal._key(place).secret != theirs  # whoever does not ask goes on without it
    monkeypatch.undo()
    assert (place / "key").read_bytes() == theirs


def test_a_former_key_is_kept_and_named_where_it_is_needed(tmp_path, cache):
    place = cache("one")
    own(tmp_path / "run")
    with closing(Ledger(tmp_path / "run" / run_folder.LEDGER)) as ledger:
        ledger.enter("bench", "model", "id", seal.seal(1))
    (place / "key").write_bytes(os.urandom(seal.SEAL))
    cache("one")
    with pytest.raises(Misuse, match=r"the finished outcome in .* or copy (\S+) to ") as fault:
        own(tmp_path / "run")
    shutil.copy(re.search(r"or copy (\S+) to", str(fault.value))[1], place / "key")
    cache("one")
    own(tmp_path / "run")
    shutil.rmtree(place)
    cache("one")
    own(tmp_path / "run")  # the spare of the last one that sealed


def test_a_key_that_never_ends_is_not_waited_for(cache):
    place = cache("one")
    place.mkdir()
    os.mkfifo(place / "key")
    seal.prepare_key()
    assert seal.key_name()


def test_a_file_system_without_links_keeps_keys_too(cache, monkeypatch):
    def unsupported(*_):
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", unsupported)
    place = cache("one")
    name = seal.key_name()
    assert name
    cache("one")
    assert seal.key_name() == name
    assert [one.name for one in place.iterdir()] == ["key"]


def test_a_url_with_one_slash_is_no_folder(monkeypatch):
    monkeypatch.setenv("BEHOLDER_CACHE", "s3:/lab/cache")
    with pytest.raises(Misuse, match=r"expected a folder, or a URL such as s3://lab/cache"):
        paths.cache_folder()
