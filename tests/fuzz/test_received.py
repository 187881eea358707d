"""What comes by mail, a run, a ledger, an export, executes nothing, and damaged it is refused in a sentence."""

import json
import pickle
import shutil
import sqlite3
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

import beholder as bh
import study_exports
from beholder.errors import Misuse
from beholder.store.cache import Cache
from beholder.store.ledger import Ledger, read_sealed
from beholder.store.seal import MISSING, SEAL
from beholder.study.analysis import answers
from commands import command
from damage import WORDS, damaged, examples, within
from hazards import Harm

pytestmark = pytest.mark.fuzz
REMOVED = "\0removed"
ODD = [
    REMOVED,
    None,
    True,
    0,
    -1,
    1e308,
    float("nan"),
    "",
    "x",
    "\x1b[31m\u202e",
    [],
    {},
    [[]],
    [{}],
    ["x"],
    {"x": "y"},
    [1],
    "x" * 5000,
    "-inf",
    "os:system",
    "a/b:c(d=1)",
    "../../etc/passwd",
    "=1+1",
]
VIEWS = [
    ("report", "run"),
    ("report", "run", "-v"),
    ("report", "run", "--as", "html"),
    ("report", "run", "--as", "markdown"),
    ("report", "run", "--as", "json"),
    ("cite", "run"),
    ("compare", "block", "sgbm", "--run", "run"),
    ("runs", "."),
]


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """The folder of a small run."""
    bench = bh.load("stereo/dense", dataset="random_dots(count=2,size=64)", limit=1)
    return bh.save(tmp_path_factory.mktemp("kept") / "run", bh.run(bench, jobs=0))


@pytest.fixture
def run(kept, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(kept, tmp_path / "run")
    return tmp_path / "run"


def change(folder, **entries):
    """Write other things into the first benchmark of a run's record."""
    facts = json.loads((folder / "run.json").read_text())
    facts["benchmarks"][0] |= entries
    (folder / "run.json").write_text(json.dumps(facts))


@pytest.mark.parametrize(
    "spec",
    [
        "run/evil.py:judge",
        "evil:judge",
        "os:system",
        "subprocess:check_output(shell=True)",
        "beholder.io.programs:run_program(words=['touch','harmed'])",
        "beholder.cli:main",
        "builtins:exec",
        "pandas:to_pickle(filepath_or_buffer='harmed')",
        "beholder.stereo.benchmarks.published:write(path='harmed')",
    ],
)
def test_the_record_of_a_run_cannot_name_code_to_execute(run, spec):
    for place in (run, run.parent):
        (place / "evil.py").write_text("open('harmed', 'w')\ndef judge(scores): ...\n")
    change(run, judges=[spec])
    for words in (("report", "run"), ("report", "run", "--as", "html"), ("cite", "run")):
        code, _, err = command(*words)
        assert code == 2, err
        assert "a run is not trusted to import code" in err
    assert not (run.parent / "harmed").exists()


def test_who_trusts_a_judge_asks_for_it(run):
    (run.parent / "mine.py").write_text("from beholder.judges.pareto import pareto\n")
    assert command("report", "run", "--by", "mine.py:pareto")[0] == 0
    change(run, judges=["beholder.stereo.benchmarks.published:average_rank"])  # ours, though no file of judges/
    assert command("report", "run")[0] == 0


def test_a_ledger_of_somebody_else_is_never_unpickled(tmp_path):
    harm = zlib.compress(pickle.dumps(Harm(tmp_path / "harmed")))
    file = tmp_path / "ledger.sqlite"
    Ledger(file).close()
    with sqlite3.connect(file) as db:
        held = [bytes(SEAL) + harm, harm, b""]
        db.executemany(
            "insert into outcome values ('b', 'm', ?, 0, ?)", [(str(at), one) for at, one in enumerate(held)]
        )
    db.close()
    ledger = Ledger(file)
    assert list(ledger.outcomes("b", "m")) == []
    assert ledger.unreadable("b") == len(held)
    assert ledger.outcome("b", "m", "1") is None
    ledger.close()
    assert len(read_sealed(file, "b", "m")) == len(held)  # they are handed on sealed, and unsealed where they are read
    with sqlite3.connect(file) as db:
        db.executemany("insert into outcome values ('b', 'm', ?, 0, ?)", [("n", None), ("t", "text"), ("i", 7)])
    db.close()
    damaged = Ledger(file)  # cells that are no bytes: what is whole of it is kept, and that is nothing
    assert list(damaged.outcomes("b", "m")) == []
    damaged.close()
    store = Cache(tmp_path / "cache")
    store.put_sealed("0" * 32, bytes(SEAL) + harm)
    assert store.get("0" * 32) is MISSING
    assert not (tmp_path / "harmed").exists()


def places(value, path=()):
    """Every place in a record."""
    yield path
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        yield from places(inner, (*path, key))


def put(value, path, new):
    """The same record with something else in a place."""
    made = value.copy()
    if len(path) > 1:
        made[path[0]] = put(made[path[0]], path[1:], new)
    elif new == REMOVED:
        del made[path[0]]
    else:
        made[path[0]] = new
    return made


def test_a_run_that_was_tampered_with_is_shown_or_refused(run):
    facts, rows = json.loads((run / "run.json").read_text()), (run / "scores.csv").read_text().splitlines()
    every = [path for path in places(facts) if path]

    @examples(8)
    @given(st.data())
    def holds(data):
        told, table = facts, list(rows)
        if data.draw(st.booleans()):
            told = put(facts, data.draw(st.sampled_from(every)), data.draw(st.sampled_from(ODD)))
        else:
            at = data.draw(st.integers(0, len(rows) - 1))
            cells = table[at].split(",")
            cells[data.draw(st.integers(0, len(cells) - 1))] = data.draw(st.sampled_from(WORDS)).decode("latin-1")
            table[at] = ",".join(cells)
        (run / "run.json").write_text(json.dumps(told))
        (run / "scores.csv").write_text("\n".join(table) + "\n")
        code, out, err = command(*data.draw(st.sampled_from(VIEWS)))
        assert code in (0, 2)
        assert "\x1b" not in out + err
        assert "\u202e" not in out + err

    holds()


@pytest.mark.parametrize("name", ["answers.csv", "sessions.csv", "items.csv", "study.json"])
def test_an_export_that_was_damaged_is_read_or_refused(tmp_path, name):
    folder = study_exports.write(tmp_path / "export", people=4)
    whole = (folder / name).read_bytes()

    @examples(3)
    @given(damaged(whole))
    def holds(content):
        (folder / name).write_bytes(content)
        try:
            with within(60):
                answers.read(folder)
        except Misuse as fault:
            assert str(folder) in str(fault)  # noqa: PT017

    holds()
