import json
import pickle

import numpy as np
import pytest

from beholder.core.benchmark import Recorded
from beholder.core.measure import NotApplicable
from beholder.errors import Misuse, NotFound
from beholder.io import disparity
from beholder.registry.models import Plug, model, models
from beholder.stereo.benchmarks.dense import dense
from beholder.stereo.datasets.random_dots import random_dots
from beholder.stereo.models.block import block
from texts import reading


@pytest.fixture(scope="module")
def stereo():
    return dense(random_dots(3, size=64))


def test_a_name_of_ours(stereo):
    plug = model("block", stereo)
    assert isinstance(plug, Plug)
    assert plug.function() is block
    assert pickle.loads(pickle.dumps(plug)) == plug


def test_a_name_with_settings(stereo):
    assert list(models("block(window=5, fill=False)", stereo)) == ["block(window=5, fill=False)"]
    opened = model("block(window=5,fill=False)", stereo).function()
    pair = stereo.dataset[0].stimulus
    np.testing.assert_array_equal(opened(pair), block(pair, window=5, fill=False))
    assert not np.array_equal(opened(pair), block(pair), equal_nan=True)


@pytest.mark.parametrize("name", ["mine", "my model", "v1.2-best+x", "2nd"])
def test_a_model_can_be_given_a_name(stereo, name):
    found = models(f"{name}=block(window=7)", stereo)
    assert list(found) == [name]
    assert found[name].spec == "block(window=7)"


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("blok", r"no model called 'blok' in stereo\.models; did you mean 'block'\?"),
        ("x=blok", "no model called 'blok'"),
        ("block(windw=5)", "model block has no setting 'windw'; did you mean 'window'"),
        ("block(5)", "expected key=value"),
        ("gone.py:f", r"got gone\.py, which is not a file; expected FILE\.py:FUNCTION"),
    ],
)
def test_misuse_is_found_before_anything_runs(stereo, spec, says):
    with pytest.raises(Misuse, match=says):
        models(spec, stereo)


def test_a_function_of_a_file_is_checked_without_running_it(stereo, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "import math as m\nfrom os import path\ntry:\n    def tried(p): return 1\nexcept ImportError:\n    pass\n"
        "if True:\n    class Shape:\n        def inner(self): local = 1\n"
        "def flat(pair, *, at=3):\n    hidden = 1\n    return at\n"
        f"alias = flat\nopen({str(tmp_path / 'ran')!r}, 'w').close()\n"
    )
    for name in ("flat", "tried", "Shape", "alias", "m", "path"):
        assert list(models(f"{file}:{name}", stereo)) == [name]
    for name in ("hidden", "inner", "local", "fla", ""):
        with pytest.raises(NotFound, match=f"has no '{name}'"):
            models(f"{file}:{name}", stereo)
    plug = model(f"{file}:flat(at=5)", stereo)
    assert not (tmp_path / "ran").exists()
    assert plug.function()("pair") == 5
    assert (tmp_path / "ran").exists()
    with pytest.raises(Misuse, match="is a module; expected a function from stimulus to answer"):
        model(f"{file}:m", stereo).function()
    with pytest.raises(Misuse, match=r"model .*flat has no setting 'att'; did you mean 'at'"):
        model(f"{file}:flat(att=1)", stereo).function()


def test_files_that_cannot_be_read_off(stereo, tmp_path):
    star = tmp_path / "star.py"
    star.write_text("from math import *\n")
    assert model(f"{star}:sqrt", stereo).function()(9) == 3
    empty = tmp_path / "empty.py"
    empty.write_text("")
    with pytest.raises(NotFound, match="has no 'f'; there is nothing there"):
        models(f"{empty}:f", stereo)
    broken = tmp_path / "broken.py"
    for text in (b"def f(:\n", b"\xff\xfe", b"f = 1\0"):
        broken.write_bytes(text)
        with pytest.raises(Misuse, match="is not a Python file that can be read"):
            models(f"{broken}:f", stereo)


def test_a_changed_file_is_another_model(stereo, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("def f(p): return 1\n")
    before = model(f"{file}:f", stereo)
    assert model(f"{file}:f", stereo) == before
    file.write_text("def f(p): return 2\n")
    assert model(f"{file}:f", stereo).files != before.files


def test_a_function_of_a_module(stereo):
    found = models("beholder.stereo.models.flat:flat(disparity=2)", stereo)
    assert list(found) == ["flat(disparity=2)"]
    assert (found["flat(disparity=2)"].function()(stereo.dataset[0].stimulus) == 2).all()


def test_a_folder_of_outputs(stereo, tmp_path):
    for value, id in enumerate(stereo.dataset.ids):
        disparity.write(np.full((64, 64), value, np.float32), tmp_path / f"{id}.pfm")
    (tmp_path / "notes.txt").write_text("mine")
    recorded = model(f"dir:{tmp_path}", stereo)
    assert list(models(f"dir:{tmp_path}/", stereo)) == [tmp_path.name]
    assert isinstance(recorded, Recorded)
    assert [recorded.recall(id)[0, 0] for id in stereo.dataset.ids] == [0, 1, 2]


def test_the_working_folder_has_a_name(tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text("A")
    monkeypatch.chdir(tmp_path)
    assert list(models("dir:.", reading())) == [tmp_path.name]


def test_a_folder_with_some_outputs(tmp_path):
    (tmp_path / "set").mkdir()
    (tmp_path / "a.md").write_text("A as md")
    (tmp_path / "set" / "c.txt").write_text("C")
    (tmp_path / "set" / "c.md").write_text("second choice")
    recorded = model(f"dir:{tmp_path}", reading())
    assert sorted(recorded.answers) == ["a", "set/c"]
    assert (recorded.recall("a"), recorded.recall("set/c")) == ("A as md", "C")
    with pytest.raises(
        LookupError, match=rf"no recorded answer for this sample: expected {tmp_path}/b\.txt \(\.txt, \.md\)"
    ):
        recorded.recall("b")


NOT_USED = "unused, because no sample of texts has that name"
FOLDERS = {
    "all in order": (["a.txt", "b.txt", "set/c.txt", ".hidden"], ()),
    "a slip": (["a.txt", "bb.txt"], (f"1 file is {NOT_USED}: bb.txt; is bb.txt meant for b?",)),
    "a suffix that is not read": (["a.txt", "b.text"], (f"1 file is {NOT_USED}: b.text; is b.text meant for b?",)),
    "many others": (
        ["a.txt", "b.txt", "p.png", "q.png", "readme", "s.py", "set/c.txt", "set/c.old"],
        (f"5 files are {NOT_USED}: p.png, q.png, readme and 2 more",),
    ),
    "an answer twice": (
        ["a.txt", "a.md", "b.md"],
        ("1 sample is present in several formats; taken: a.txt (not a.md)",),
    ),
    "both": (
        ["a.txt", "a.md", "b.md", "set/c.md", "set/c.txt", "x.txt"],
        (
            f"1 file is {NOT_USED}: x.txt",
            "2 samples are present in several formats; taken: a.txt (not a.md), c.txt (not c.md)",
        ),
    ),
}


@pytest.mark.parametrize("kind", FOLDERS)
def test_a_folder_says_what_it_does_not_read(tmp_path, kind):
    names, said = FOLDERS[kind]
    (tmp_path / "set").mkdir()
    for name in names:
        (tmp_path / name).write_text(name)
    assert model(f"dir:{tmp_path}", reading()).remarks == said


def test_samples_that_are_left_out_are_no_surplus(tmp_path):
    for name in ("a.txt", "b.txt", "b.md"):
        (tmp_path / name).write_text(name)
    whole = reading()
    few = model(f"dir:{tmp_path}", whole.on(whole.dataset.only(["a"])))
    assert (list(few.answers), few.remarks) == (["a"], ())


def test_a_folder_that_answers_nothing(tmp_path):
    with pytest.raises(
        Misuse, match=r"answers none of the 3 samples of texts: it holds nothing; .* a\.txt \(\.txt, \.md"
    ):
        model(f"dir:{tmp_path}", reading())
    (tmp_path / "z.txt").write_text("")
    with pytest.raises(Misuse, match=r"it holds z\.txt"):
        model(f"dir:{tmp_path}", reading())
    with pytest.raises(NotFound, match="which is not a folder"):
        model(f"dir:{tmp_path}/none", reading())
    with pytest.raises(Misuse, match="has no file format for answers; give a Python function"):
        model(f"dir:{tmp_path}", reading(files=None))


ROWS = [("ann", "a", "1"), ("ann", "b", "2"), ("bob", "a", "3, or\n4\u2028")]


@pytest.mark.parametrize("suffix", [".csv", ".CSV", ".jsonl", ".json"])
def test_answers_of_a_crowd(tmp_path, suffix):
    log = tmp_path / f"log{suffix}"
    if suffix.lower() == ".csv":
        quoted = "".join(f'{who},{sample},"{answer}",x\r\n' for who, sample, answer in ROWS)
        log.write_bytes(f"\ufeffparticipant,sample,answer,more\r\n{quoted}".encode())
    else:
        lines = [dict(zip(("participant", "sample", "answer"), row, strict=True)) for row in ROWS]
        log.write_text("\n\n".join(json.dumps(line, ensure_ascii=False) for line in lines) + "\n", "utf-8")
    crowd = models(f"log:{log}", reading())
    assert list(crowd) == ["ann", "bob"]
    assert [crowd["ann"].recall(id) for id in "ab"] == ["1", "2"]
    assert crowd["bob"].recall("a") == ROWS[2][2]
    with pytest.raises(NotApplicable, match="was not asked"):
        crowd["bob"].recall("b")
    assert list(models(f"lab=log:{log}", reading())) == ["lab:ann", "lab:bob"]
    with pytest.raises(Misuse, match="holds 2 models; expected one"):
        model(f"log:{log}", reading())


HEAD = "participant,sample,answer\n"


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("l.csv", "who,sample,answer\nann,a,1\n", "answer 1: got no 'participant'; expected participant, sample and"),
        ("l.csv", f"{HEAD}ann,a\n", "answer 1: got no 'answer'"),
        ("l.csv", HEAD, "holds no answer; expected at least one line"),
        ("l.csv", "", "holds no answer"),
        ("l.csv", f"{HEAD}ann,a,1\nann,a,2\n", "answer 2: ann answered a twice, differently; keep one"),
        ("l.csv", f"{HEAD}ann,q,1\n", "answers none of the samples of texts: it has 'q'; expected such as 'a'"),
        ("l.csv", f'{HEAD}ann,a,"1\n', "cannot be read: unexpected end of data"),
        ("l.csv", b"\xff\xfe\x00", "cannot be read: .*expected a table in UTF-8"),
        ("l.jsonl", '{"participant": "ann", "sample": "a"}', "answer 1: got no 'answer'"),
        ("l.jsonl", '{"participant": "ann", "sample": "a", "answer": null}', "answer 1: got no 'answer'"),
        ("l.jsonl", '\n{"participant"', "line 2: got '{\"participant\"'; expected one JSON object per line"),
        ("l.jsonl", "[1, 2]", "line 1: got .* expected one JSON object per line"),
        ("l.jsonl", "\n\n", "holds no answer"),
    ],
)
def test_logs_that_cannot_be_read(tmp_path, name, text, says):
    log = tmp_path / name
    log.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(Misuse, match=says):
        models(f"log:{log}", reading())


def test_logs_that_are_not_there_and_answers_given_twice(tmp_path):
    with pytest.raises(NotFound, match=r"which is not a file; expected answers as \.csv or \.jsonl"):
        models(f"log:{tmp_path}/none.csv", reading())
    log = tmp_path / "l.csv"
    log.write_text(f"{HEAD}ann,a,1\nann,a,1\nann,zzz,9\n")
    assert models(f"log:{log}", reading())["ann"].recall("a") == "1"


def test_a_folder_with_brackets_in_its_name(stereo, tmp_path):
    place = tmp_path / "copy (1)"
    place.mkdir()
    (place / "mine.py").write_text("def f(p, *, k=0): return k\n")
    assert list(models(f"{place}/mine.py:f", stereo)) == ["f"]
    found = models(f"{place}/mine.py:f(k=4)", stereo)
    assert list(found) == ["f(k=4)"]
    assert found["f(k=4)"].function()("pair") == 4
