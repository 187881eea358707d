"""The verbs of `beholder study`, as whoever runs a study meets them; wrong input is a sentence and exit code 2."""

import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

import study_places
from beholder.cli import app
from beholder.errors import Misuse
from beholder.study.operations.tidy import session_label
from beholder.study.server.security import Keys, key_place, study_key
from beholder.study.server.store import Given, Store

RUN = CliRunner()


def beholder(*words, ok=True):
    """The command; misuse is raised here, and becomes a sentence and exit code 2 in `main`."""
    done = RUN.invoke(app, ["study", *map(str, words)])
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    if ok:
        assert done.exit_code == 0, done.output
    return done


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    """A study that two people answered: Ada two trials of it, Alan all."""
    folder = tmp_path_factory.mktemp("small")
    file = study_places.write(folder, top='platform = "prolific"\nretain_until = 2999-01-01')
    db = folder / "answers.sqlite"
    store = Store(str(db), study_key(key_place(str(db), folder)))
    from beholder.study.design.file import read

    store.open_study(read(file))
    ids = {who: _take_part(store, who, many) for who, many in (("ada", 2), ("alan", 9))}
    store.close()
    return SimpleNamespace(folder=folder, file=file, db=db, ids=ids, key=key_place(str(db), folder))


def _take_part(store, who, many):
    session = store.enter("small", "prolific", who, 1e9)
    for step in ("consent", "fill", "measure"):
        session = getattr(store, step)(session, {"fill": {"knowledge": 4}, "consent": "hash"}.get(step, {}), 1e9)
    session = store.begin(session, 1e9)
    for at in range(many):
        trial = store.next_trial(session, 1e9)
        store.answer(session, Given(trial.token, f"key-of-{who}-{at:04}", {"human": "human"}), 1e9 + at)
    return session.id


def test_check_says_that_it_can_be_served_or_why_not(here, tmp_path):
    assert "small can be served" in beholder("check", here.file).output
    study_places.write(tmp_path)
    (tmp_path / "media" / "trial0.png").unlink()
    done = beholder("check", tmp_path, ok=False)
    assert done.exit_code == 2
    assert "FAULT: item trial-0-human: got media/trial0.png, which does not exist" in done.output


def dumped(database):
    """What a database holds; its bytes change when its log is folded in."""
    with closing(sqlite3.connect(database)) as base:
        return list(base.iterdump())


def test_check_leaves_nothing_behind(here, tmp_path):
    """An empty database would be copied in the place of the good one."""
    file = study_places.write(tmp_path / "new", top="retain_until = 2036-12-31")
    before = set((tmp_path / "new").iterdir())
    beholder("check", file, "-q")
    assert set((tmp_path / "new").iterdir()) == before
    with pytest.raises(Misuse, match="got no answers at"):
        beholder("status", file)
    held, key = dumped(here.db), here.key.read_bytes()
    there = {path.name for path in here.folder.iterdir()}
    beholder("check", here.file, "-q")
    assert (dumped(here.db), here.key.read_bytes()) == (held, key)
    assert {path.name for path in here.folder.iterdir()} == there
    (tmp_path / "new" / "answers.sqlite.key").write_text("short")
    with pytest.raises(Misuse, match=r"got a key of 5 bytes; .*; delete it for a new one: nobody has taken"):
        beholder("check", file, "-q")


def test_a_key_that_was_cut_is_put_back_and_not_made_anew(here, tmp_path, monkeypatch):
    db = tmp_path / "answers.sqlite"
    db.write_bytes(here.db.read_bytes())
    (tmp_path / "answers.sqlite.key").write_text("short")
    for verb in ("check", "status", "serve"):
        with pytest.raises(
            Misuse, match=r"sqlite.key: got a key of 5 bytes; expected 16 or more; put the right one back$"
        ):
            beholder(verb, here.file, "--db", db)
    monkeypatch.setenv("BEHOLDER_STUDY_KEY", "word")
    with pytest.raises(Misuse, match=r"BEHOLDER_STUDY_KEY: got a key of 4 bytes; .*; set it to the whole key, or"):
        beholder("status", here.file, "--db", db)


def test_backup_without_its_key_does_not_say_to_keep_a_copy_of_it(here, tmp_path):
    db = tmp_path / "answers.sqlite"
    db.write_bytes(here.db.read_bytes())
    said = beholder("backup", here.file, "--db", db, "--out", tmp_path / "copies").stderr
    assert "is missing" in said
    assert "keep a copy" not in said


def test_status(here):
    text = beholder("status", here.folder, "--items").output
    assert "small" in text
    assert "1 finished, 11 answers, the last one" in text
    assert "people: 1 away, 1 " in text
    assert "simulated" not in text
    assert "least exposed" in text
    assert json.loads(beholder("status", here.folder, "--json").stdout)["answers"] == 11


def test_export_and_what_is_kept_of_one_person(here, tmp_path):
    beholder("export", here.file, "--out", tmp_path / "out")
    names = {file.name for file in (tmp_path / "out").iterdir()}
    assert names == {"answers.csv", "sessions.csv", "items.csv", "study.json", "study.toml", "dictionary.json",
                     "about.json"}  # fmt: skip
    assert (tmp_path / "out" / "study.toml").read_text() == here.file.read_text()
    beholder("export", here.file, "--person", "ada", "--out", tmp_path / "ada.json")
    assert len(json.loads((tmp_path / "ada.json").read_text())["answers"]) == 2


def test_analyse_takes_an_export_or_the_study_itself(here, tmp_path):
    beholder("export", here.file, "--out", tmp_path / "out")
    assert beholder("analyse", tmp_path / "out").stdout == beholder("analyse", here.file).stdout


def test_backup_and_back_again(here, tmp_path):
    copy = beholder("backup", here.file, "--out", tmp_path / "copies").stdout.split()[0]
    target = tmp_path / "again.sqlite"
    beholder("backup", here.file, "--restore", copy, "--db", target, "--key", here.key)
    again = json.loads(beholder("status", here.file, "--json", "--db", target).stdout)
    assert again["answers"] == 11


def test_purge_deletes_what_is_named_and_asks_first(here, tmp_path):
    copy = beholder("backup", here.file, "--out", tmp_path).stdout.split()[0]
    target = tmp_path / "again.sqlite"
    beholder("backup", here.file, "--restore", copy, "--db", target, "--key", here.key)
    with pytest.raises(Misuse, match="expected --yes, for nobody is there to be asked"):
        beholder("purge", here.file, "--person", "ada", "--db", target)
    done = beholder("purge", here.file, "--person", "ada", "--db", target, "--yes")
    assert f"deleted session {session_label(here.ids['ada'])}" in done.output
    assert "Copies hold it still" in done.output
    with pytest.raises(Misuse, match="is kept until 2999-01-01"):
        beholder("purge", here.file, "--all", "--db", target, "--yes")
    beholder("purge", here.file, "--people", "--db", target, "--yes")
    assert "deleted 1 session of" in beholder("purge", here.file, "--all", "--force", "--db", target, "--yes").output


def test_invitations_are_links_that_stay_the_same(tmp_path):
    file = study_places.write(tmp_path, top='platform = "invite"')
    with pytest.raises(Misuse, match="expected a study that has been served"):
        beholder("invite", tmp_path)
    assert not list(tmp_path.glob("*.key")), "no verb but serve and check makes a key"
    _serve(file, tmp_path / "answers.sqlite")
    first = beholder("invite", tmp_path, "--n", 3, "--public-url", "https://study.example.org/").stdout.split()
    assert len(set(first)) == 3
    assert re.fullmatch(r"https://study\.example\.org/s/small/\?invite=1-[\w-]{27}", first[0])
    assert beholder("invite", tmp_path, "--n", 2, "--first", 2, "--public-url", "https://study.example.org"
                    ).stdout.split() == first[1:]  # fmt: skip


def test_invitations_to_a_study_in_the_database_of_another(tmp_path):
    """Two studies served together share the first one's database; its key makes the links, and no other's."""
    first = study_places.write(tmp_path / "one", name="one", top='platform = "invite"')
    second = study_places.write(tmp_path / "two", name="two", top='platform = "invite"')
    _serve(first, tmp_path / "one" / "answers.sqlite", second)
    _serve(study_places.write(tmp_path / "three", name="three"), tmp_path / "two" / "answers.sqlite")
    with pytest.raises(Misuse, match=r"got 'two', which .*two/answers.sqlite does not hold"):
        beholder("invite", second)
    (link,) = beholder("invite", second, "--db", tmp_path / "one" / "answers.sqlite").stdout.split()
    keys = Keys(study_key(tmp_path / "one" / "answers.sqlite.key"))
    assert keys.invited("two", link.partition("invite=")[2])


def _serve(file, db, *more):
    """What serving leaves behind: the studies in the database, begun with its key."""
    from beholder.study.design.file import read

    store = Store(str(db), study_key(key_place(str(db), file.parent)))
    for one in (file, *more):
        store.open_study(read(one))
    store.close()


@pytest.fixture
def keyless(here, tmp_path):
    """A copy of the study and its answers whose key is lost."""
    shutil.copytree(here.folder, tmp_path / "keyless")
    (tmp_path / "keyless" / here.key.name).unlink()
    return tmp_path / "keyless"


NEEDS_KEY = [("check",), ("serve",), ("simulate", "--db", "{db}"), ("export", "--person", "ada"), ("invite",),
             ("purge", "--person", "ada", "--yes")]  # fmt: skip


@pytest.mark.parametrize("other", [False, True], ids=["lost", "another"])
@pytest.mark.parametrize("words", NEEDS_KEY, ids=" ".join)
def test_without_its_key_nobody_is_known(keyless, words, other):
    file, key = keyless / "study.toml", keyless / "answers.sqlite.key"
    if words == ("invite",):
        file.write_text(file.read_text().replace('"prolific"', '"invite"'))
    if other:
        key.write_text("another key, of more than sixteen signs")
    said = "is not the one that small was started with" if other else "the study key of small is missing"
    with pytest.raises(Misuse, match=said):
        beholder(words[0], keyless, *(word.format(db=keyless / "answers.sqlite") for word in words[1:]))
    assert key.exists() == other, "none is made"


@pytest.mark.parametrize("words", [("status",), ("export", "--out", "out"), ("analyse",), ("backup",)], ids=" ".join)
def test_a_lost_key_withholds_no_answers_and_is_said(keyless, words, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert "note: the study key of small is missing" in beholder(words[0], keyless, *words[1:]).stderr
    assert not (keyless / "answers.sqlite.key").exists()


def test_a_copy_comes_back_only_with_its_key(here, tmp_path):
    done = beholder("backup", here.file, "--out", tmp_path / "copies")
    assert f"the study key is not in it: keep a copy of {here.key}" in done.stderr
    copy, target = done.stdout.strip(), tmp_path / "again.sqlite"
    with pytest.raises(Misuse, match=r"the key that small was started with, but there is none at .*again.sqlite.key"):
        beholder("backup", here.file, "--restore", copy, "--db", target)
    (tmp_path / "wrong.key").write_text("another key, of more than sixteen signs")
    with pytest.raises(Misuse, match=r"wrong\.key holds another key"):
        beholder("backup", here.file, "--restore", copy, "--db", target, "--key", tmp_path / "wrong.key")
    with pytest.raises(Misuse, match=r"--key .*nothing, which is not a file"):
        beholder("backup", here.file, "--restore", copy, "--db", target, "--key", tmp_path / "nothing")
    assert not list(tmp_path.glob("again*")), "nothing is left where nothing was brought back"
    (tmp_path / "kept.key").write_bytes(here.key.read_bytes())
    beholder("backup", here.file, "--restore", copy, "--db", target, "--key", tmp_path / "kept.key")
    beholder("export", here.file, "--person", "ada", "--db", target, "--out", tmp_path / "ada.json")
    private = [Path(copy), target, tmp_path / "again.sqlite.key", tmp_path / "ada.json"]
    assert {oct(one.stat().st_mode & 0o777) for one in private} == {"0o600"}
    assert (tmp_path / "copies").stat().st_mode & 0o777 == 0o700


def test_a_key_that_others_may_read_is_said(here, tmp_path):
    assert "chmod" not in beholder("check", here.file, "-q").stderr
    shutil.copytree(here.folder, tmp_path / "loose")
    key = tmp_path / "loose" / here.key.name
    key.chmod(0o644)
    said = f"other users of this machine can read {key}; run chmod 600 {key}"
    assert said in beholder("check", key.parent, "-q").stderr


def test_an_export_is_for_its_owner_only(here, tmp_path):
    beholder("export", here.file, "--out", tmp_path / "out", "--parquet")
    assert {oct(one.stat().st_mode & 0o777) for one in (tmp_path / "out").iterdir()} == {"0o600"}
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o700
    beholder("export", here.file, "--out", tmp_path / "out")
    assert not list((tmp_path / "out").glob("*.parquet")), "what an earlier export left would tell something else"


def strange(folder, what):
    """A file that is no study's database."""
    path = folder / "strange.sqlite"
    if what == "text":
        path.write_text("root:x:0:0:root:/root:/bin/sh\n" * 40)
    elif what == "foreign":
        with closing(sqlite3.connect(path)) as base:
            base.execute("CREATE TABLE bookmarks (id INTEGER)")
            base.commit()
    else:
        Store(str(path), b"k" * 32).close()
        path.write_bytes(path.read_bytes()[: 60 if what == "head" else 9000])
    return path


@pytest.mark.parametrize(("what", "says"), [
    ("text", "which is not a database"), ("foreign", "which holds bookmarks but no study"),
    ("half", "which is incomplete"), ("head", "which is incomplete"),
])  # fmt: skip
def test_what_is_no_database_is_left_alone(here, tmp_path, monkeypatch, what, says):
    monkeypatch.chdir(tmp_path)
    path = strange(tmp_path, what)
    before = path.read_bytes()
    for verb in ("check", "status", "export", "serve", "analyse", "backup"):
        with pytest.raises(Misuse, match=says):
            beholder(verb, here.file, "--db", path)
    with pytest.raises(Misuse, match=says):
        beholder("simulate", here.file, "--db", path, "--n", 1)
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == [path.name], "neither a key nor a log"


def test_a_database_whose_pages_are_spoilt_is_a_sentence(keyless, here):
    (keyless / here.key.name).write_bytes(here.key.read_bytes())
    path = keyless / "answers.sqlite"
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(Misuse, match=r"cannot be used: database disk image is malformed; .* restore a copy"):
        beholder("status", keyless)


def test_plan_prints_the_power_of_this_very_design(here):
    text = beholder("plan", here.file, "--dprime", "0.5,2", "--kappa", "0.3", "--people", "10,20", "--runs", 20).stdout
    assert "n=10" in text
    assert "d′ 2" in text
    assert "κ 0.3" in text


def test_new_makes_a_study_that_can_be_served(tmp_path):
    beholder("new", "demo", "--out", tmp_path / "mine", "--name", "mine", "--title", "Mine", "-q")
    assert "FAULT: retain_until is not set" in beholder("check", tmp_path / "mine", "-q", ok=False).output
    file = tmp_path / "mine" / "study.toml"
    file.write_text("retain_until = 2999-01-01\n" + file.read_text())
    assert "mine can be served" in beholder("check", tmp_path / "mine", "-q").output


def test_serve_opens_the_demo_with_nothing_else(tmp_path):
    """A process of its own, as a user starts it; it says where everything is, and ends when it is told to."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    child = subprocess.Popen(
        [sys.executable, "-m", "beholder.cli", "study", "serve", "demo", "--port", str(port)],
        env=os.environ | {"XDG_DATA_HOME": str(tmp_path)}, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        said = ""
        while "Ctrl-C" not in said:
            line = child.stderr.readline()
            assert line, said
            said += line
        while True:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/s/demo/", timeout=5) as page:
                    assert "Begin" in page.read().decode()
                break
            except urllib.error.URLError:
                assert child.poll() is None, child.stderr.read()
                time.sleep(0.05)
        (secret,) = re.findall(r"secret: (\S+)", said)
        asked = urllib.request.Request(
            f"http://127.0.0.1:{port}/admin/demo/status.json", headers={"Authorization": f"Bearer {secret}"}
        )
        with urllib.request.urlopen(asked, timeout=5) as reply:
            assert json.load(reply)["sessions"] == 0
    finally:
        child.send_signal(signal.SIGINT)
        rest = child.communicate(timeout=20)[1]
    assert f"http://127.0.0.1:{port}/s/demo/" in said
    assert "answers.sqlite" in said
    assert "Traceback" not in rest


WRONG = [
    (("new", "nonsuch", "--out", "x"), "got 'nonsuch', which is not a kind of study"),
    (("new", "demo", "--out", "{folder}"), "which exists and is not empty"),
    (("new", "demo", "--out", "x", "--set", "strange=1"), "strange"),
    (("plan", "nonsuch.toml"), "which is not a file"),
    (("plan", "{file}", "--dprime", "much"), "expected numbers with commas between them"),
    (("plan", "{file}", "--item-sd", "-1"), "below 0"),
    (("plan", "{file}", "--people", "1"), "expected whole numbers, 2 or more"),
    (("plan", "{file}", "--people", "10.5"), "expected whole numbers, 2 or more"),
    (("plan", "{file}", "--people", "nan"), "such as 10,20"),
    (("plan", "{file}", "--dprime", "0.1,inf"), "expected numbers with commas between them"),
    (("plan", "{file}", "--runs", "0"), "got --runs 0; expected 2 or more"),
    (("plan", "{file}", "--people", "0"), "got --people 0; expected whole numbers, 2 or more, with commas"),
    (("check", "nonsuch.toml"), "which is not a file; expected a study file: beholder study new makes one"),
    (("check", "{file}", "--db", "mysql://host/db"), "expected the path of a file, or postgresql://"),
    (("check", "{file}", "--db", "nonsuch/answers.sqlite"), "whose folder does not exist"),
    (("check", "{file}", "--db", "{folder}"), "which is a folder"),
    (("check", "{file}", "--db", "/dev/null"), "which is a device; expected the path of a file"),
    (("serve", "nonsuch.toml"), "which is not a file"),
    (("serve", "{file}", "{file}"), "got 2 studies called 'small'"),
    (("serve", "{file}", "--public-url", "study.example.org"), "expected an address such as https://"),
    (("serve", "{file}", "--host", "192.0.2.1"), "this machine has no such address"),
    (("status", "{file}", "--db", "none.sqlite"), "got no answers at"),
    (("status", "{other}", "--db", "{db}"), "got 'other', which"),
    (("simulate", "{file}", "--n", "0"), "got --n 0; expected 1 … 100 000"),
    (("simulate", "{file}", "--kappa", "0.95"), "expected a value from that to 0.9"),
    (("simulate", "{file}", "--db", "{db}"), "2 real sessions of small; expected one without"),
    (("simulate", "{file}", "--url", "http://127.0.0.1:9"), "--url without --db"),
    (("simulate", "{file}", "--url", "http://127.0.0.1:9", "--db", "{db}"), "where nothing answers"),
    (("simulate", "{file}", "--url", "host", "--db", "{db}"), "expected an address such as http://127.0.0.1:8000"),
    (("simulate", "{file}", "--dprime", "nan"), "got --dprime nan; expected"),
    (("simulate", "{file}", "--dropout", "1.5"), "got --dropout 1.5; expected a share"),
    (("simulate", "{file}", "--kappa", "nan"), "expected a value from that to 0.9"),
    (("export", "{file}", "--db", "none.sqlite"), "got no answers at"),
    (("export", "{file}", "--out", "{folder}"), "which holds something else"),
    (("export", "{file}", "--person", "nobody"), "'nobody', who has no session"),
    (("analyse", "nonsuch"), "which is not a file"),
    (("backup", "{file}", "--keep", "-1"), "got --keep -1; expected 0 (all) or more"),
    (("backup", "{file}", "--db", "none.sqlite"), "which is not a file"),
    (("backup", "{file}", "--restore", "nonsuch"), "which is not a file"),
    (("backup", "{file}", "--restore", "{file}"), "which is not a copy; expected one made by"),
    (("purge", "{file}", "--yes"), "expected one of --person ID, --session SESSION, --people and --all"),
    (("purge", "{file}", "--person", "ada", "--all", "--yes"), "expected one of"),
    (("purge", "{file}", "--session", "p0", "--yes"), "got the session 'p0'"),
    (("invite", "{file}"), 'expected platform = "invite"'),
]


@pytest.mark.parametrize(("words", "says"), WRONG, ids=[" ".join(words) for words, _ in WRONG])
def test_wrong_input(here, words, says, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    other = study_places.write(tmp_path / "elsewhere", name="other")
    key = here.db.with_name(here.db.name + ".key")
    assert key.is_file()
    names = {"file": here.file, "folder": here.folder, "db": here.db, "other": other}
    with pytest.raises(Misuse, match=re.escape(says)):
        beholder(*(word.format(**names) for word in words))


def test_misuse_is_one_sentence_and_exit_code_2(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "beholder.cli", "study", "serve", "nonsuch.toml"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith("beholder: got nonsuch.toml, which is not a file")
    assert "Traceback" not in done.stderr


def test_a_short_secret_is_refused(here, monkeypatch):
    monkeypatch.setenv("BEHOLDER_STUDY_SECRET", "short")
    with pytest.raises(Misuse, match="got BEHOLDER_STUDY_SECRET of 5 characters; expected 16 or more"):
        beholder("status", here.file)


def test_status_tells_people_from_simulated_sessions(tmp_path):
    """Two simulated sessions and one person who failed the checks: each number says whose it is, and all agree."""
    file = study_places.write(tmp_path, top='platform = "prolific"\nparticipants = 10', practice=0)
    db = tmp_path / "answers.sqlite"
    _serve(file, db)
    store = Store(str(db), study_key(key_place(str(db), tmp_path)))
    _take_part(store, "ada", 8)  # says "human" to everything: the check asks for another answer
    for who in ("one", "two"):
        store.enter("small", "prolific", who, 1e9, simulated=True)
    store.close()
    found = json.loads(beholder("status", file, "--json").stdout)
    assert (found["sessions"], found["failed_checks"], found["complete"], found["answers"]) == (1, 1, 0, 8)
    assert found["by_kind"]["expert"] == {"quota": 0, "complete": 0, "failed_checks": 1, "running": 0}
    assert found["simulated"]["sessions"] == 2
    lines = beholder("status", file).stdout.splitlines()
    assert "1 of 10 finished, 8 answers, the last one" in lines[0]
    assert lines[1] == "people: 1 failed checks"
    assert lines[2] == "simulated, not counted in any other number: 2 away; 0 answers"
    assert [line.split() for line in lines if line.startswith("expert")] == [["expert", "0", "1", "0", "-"]]
