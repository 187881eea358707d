"""An export is tidy, says what its columns mean, tells nobody's id, and is executed by no spreadsheet."""

import csv
import errno
import io
import json
import zipfile

import pytest

import study_places
from beholder.errors import Misuse
from beholder.study.design.exhibition import UNLIKE
from beholder.study.design.file import read
from beholder.study.operations import export, tidy
from beholder.study.operations.exclusions import Conduct, broken, conduct

AT = 1_700_000_000.0


def session(id, **more):
    return {
        "id": id, "study": "small", "person": "hmac-of-somebody", "platform": "open", "stage": "done", "simulated": 0,
        "outcome": "complete", "consent": "c" * 64, "consented": AT, "form": {"knowledge": "4"}, "kind": "expert",
        "device": {"width": 1280}, "started": AT, "seen": AT, "finished": AT + 60, "comment": "", **more,
    }  # fmt: skip


def trial(session, position, item, use="trial"):
    kind = item.rpartition("-")[2]
    return {"session": session, "position": position, "token": f"{session}{position}", "use": use, "item": item,
            "other": "", "kind": kind, "lease": AT, "shown": AT}  # fmt: skip


def answer(session, position, value):
    return {"session": session, "position": position, "key": f"key-{position}", "at": AT + position, "seconds": 1.5,
            "values": {"human": value}, "replays": 0, "frames": 90, "dropped": 10, "hidden": 0}  # fmt: skip


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    return read(study_places.write(tmp_path_factory.mktemp("study")))


@pytest.fixture
def tables():
    good = [
        ("practice-0-human", "practice", "synthetic"),
        ("trial-0-human", "trial", "human"),
        ("trial-1-synthetic", "trial", "human"),
        ("check-0-human", "check", "synthetic"),
        ("trial-0-human", "repeat", "human"),
    ]
    bad = [("trial-1-human", "trial", "human"), ("check-0-human", "check", "human")]
    return {
        "sessions": [session("a" * 32), session("b" * 32, outcome="", finished=None, comment="=HYPERLINK(1)")],
        "trials": [
            *(trial("a" * 32, at, item, use) for at, (item, use, _) in enumerate(good)),
            *(trial("b" * 32, at, item, use) for at, (item, use, _) in enumerate(bad)),
            trial("b" * 32, 2, "trial-2-human"),
        ],
        "answers": [
            *(answer("a" * 32, at, value) for at, (_, _, value) in enumerate(good)),
            *(answer("b" * 32, at, value) for at, (_, _, value) in enumerate(bad)),
        ],
        "events": [{"id": 1, "session": "a" * 32, "at": AT, "what": "resumed", "detail": ""}],
    }


def rows(content, name):
    return list(csv.DictReader(io.StringIO(content[name].decode())))


def test_one_row_per_answer_with_the_truth_beside_it(study, tables):
    found = rows(export.files(study, tables), "answers.csv")
    assert [(one["use"], one["value"], one["expected"], one["right"]) for one in found[:5]] == [
        ("practice", "synthetic", "human", "0"),
        ("trial", "human", "human", "1"),
        ("trial", "human", "synthetic", "0"),
        ("check", "synthetic", "synthetic", "1"),
        ("repeat", "human", "human", "1"),
    ]
    assert len(found) == 7
    assert found[1]["group"] == "trial0"
    assert found[1]["system"] == "people"
    assert found[1]["at"] == "2023-11-14T22:13:21.000+00:00"


def test_sessions_say_who_is_excluded_and_why(study, tables):
    one, other = rows(export.files(study, tables), "sessions.csv")
    assert (one["excluded"], one["trials"], one["answered"], one["checks_failed"]) == ("", "4", "4", "0")
    assert (one["consistency"], one["frames_shown"]) == ("1.0", "0.9")
    assert (other["excluded"], other["trials"], other["answered"]) == ("checks;incomplete", "3", "2")
    assert one["form_knowledge"] == "4"
    assert one["device_width"] == "1280"


def test_how_sessions_ended_is_counted_and_said(study, tables):
    found = rows(export.files(study, tables), "sessions.csv")
    assert [one["state"] for one in found] == ["complete", "partial"]
    about = json.loads(export.files(study, tables)["about.json"])
    assert about["sessions"] == {"all": 2, "complete": 1, "failed_checks": 0, "partial": 1, "empty": 0, "simulated": 0,
                                 "excluded": 1, "excluded_by": {"checks": 1, "incomplete": 1}}  # fmt: skip
    assert export.sentence(about["sessions"]) == (
        "2 sessions: 1 complete, 1 partial; rules exclude 1 (checks 1, incomplete 1)"
    )
    assert {rule["rule"] for rule in about["rules"]} == {"checks", "incomplete"}


def test_who_failed_checks_is_not_counted_as_complete():
    row = {"state": "complete", "outcome": "failed_checks", "excluded": "checks", "simulated": 0}
    found = export.counted([row, row | {"outcome": "complete", "excluded": ""}])
    assert export.sentence(found) == "2 sessions: 1 complete, 1 with failed checks; rules exclude 1 (checks 1)"


def test_where_it_differs_from_its_source_and_what_gives_it_away(study, tables, tmp_path):
    changed = study.model_copy(update={"deviations": ("three pictures fewer",)})
    about = json.loads(export.files(changed, tables)["about.json"])
    assert about["deviations"] == ["three pictures fewer"]
    assert "cues" not in about, "the tracks are not at hand"
    file = study_places.write(tmp_path)
    cues = json.loads(export.files(read(file), tables, media=tmp_path)["about.json"])["cues"]
    assert {"name", "auc", "lo", "hi", "n", "says"} == set(cues[0])


def test_half_an_export_is_never_left(study, tables, tmp_path, monkeypatch):
    """The third file cannot be written: an earlier export stays as it was, and a new folder is not made."""
    content = export.files(study, tables)
    export.write(tmp_path / "old", content)
    before = {file.name: file.read_bytes() for file in (tmp_path / "old").iterdir()}
    tables["answers"].pop()
    written = []

    def full(path, data):
        written.append(path)
        if len(written) % 3 == 0:
            raise OSError(errno.EROFS, "Read-only file system", str(path))
        path.write_bytes(data)

    monkeypatch.setattr(export, "write_private", full)
    for folder in ("old", "new"):
        with pytest.raises(Misuse, match=f"{folder} cannot be written: Read-only file system; choose another place"):
            export.write(tmp_path / folder, export.files(study, tables))
    assert {file.name: file.read_bytes() for file in (tmp_path / "old").iterdir()} == before
    assert [file.name for file in tmp_path.iterdir()] == ["old"]


def test_nobody_is_named(study, tables):
    whole = b"".join(export.files(study, tables).values())
    assert b"hmac-of-somebody" not in whole
    assert b"a" * 32 not in whole, "the session's id is in the cookie: whoever has it could go on in its name"
    assert tidy.session_label("a" * 32).encode() in whole


def test_every_column_is_explained(study, tables):
    content = export.files(study, tables)
    meanings = json.loads(content["dictionary.json"])
    for name in ("answers.csv", "sessions.csv", "items.csv"):
        assert content[name].decode().splitlines()[0].split(",") == list(meanings[name])
        assert all(said["meaning"] for said in meanings[name].values())


def test_a_spreadsheet_executes_nothing(study, tables):
    other = rows(export.files(study, tables), "sessions.csv")[1]
    assert other["comment"] == "'=HYPERLINK(1)"


def test_simulated_and_real_sessions_are_never_together(tables):
    tables["sessions"].append(session("c" * 32, simulated=1))
    real, left = export.only(tables)
    assert len(real["sessions"]) == 2
    assert left.startswith("1 simulated")
    made, left = export.only(tables, simulated=True)
    assert [one["id"] for one in made["sessions"]] == ["c" * 32]
    assert not made["answers"]
    assert left.startswith("2 real")


def test_parquet_holds_the_same_with_types(study, tables, tmp_path):
    duckdb = pytest.importorskip("duckdb")
    export.write(tmp_path / "it's", export.files(study, tables), parquet=True)
    table = duckdb.read_parquet(str(tmp_path / "it's" / "sessions.parquet"))
    found = table.select("comment, answered, finished IS NULL").fetchall()
    assert found == [("", 4, False), ("=HYPERLINK(1)", 2, True)]


def test_a_folder_with_something_else_is_refused(study, tables, tmp_path):
    content = export.files(study, tables)
    export.write(tmp_path / "out", content)
    export.write(tmp_path / "out", content)  # once more is fine
    other = export.files(study.model_copy(update={"name": "other"}), tables)
    with pytest.raises(Misuse, match="holds the export of 'small'"):
        export.write(tmp_path / "out", other)
    made = {**tables, "sessions": [{**one, "simulated": 1} for one in tables["sessions"]]}
    with pytest.raises(Misuse, match=r"holds an export of people; .* because the two are kept apart"):
        export.write(tmp_path / "out", export.files(study, made))
    (tmp_path / "study").mkdir()
    (tmp_path / "study" / "about.json").write_text('{"made_by": "beholder study new"}')
    with pytest.raises(Misuse, match="holds something else"):
        export.write(tmp_path / "study", content)
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "letter.txt").write_text("dear")
    with pytest.raises(Misuse, match="holds something else"):
        export.write(tmp_path / "home", content)


def test_the_zip_is_the_folder(study, tables):
    content = export.files(study, tables)
    with zipfile.ZipFile(io.BytesIO(export.archive(content, "small"))) as file:
        assert file.read("small/answers.csv") == content["answers.csv"]


@pytest.mark.parametrize(
    ("rule", "how", "out"),
    [
        ({"rule": "checks"}, Conduct(True, checks_failed=1), True),
        ({"rule": "checks", "most": 1}, Conduct(True, checks_failed=1), False),
        ({"rule": "frames", "least": 0.8}, Conduct(True, frames_shown=0.79), True),
        ({"rule": "frames", "least": 0.8}, Conduct(True), False),
        ({"rule": "consistency", "least": 0.5}, Conduct(True, consistency=0.4), True),
        ({"rule": "fast", "most": 0.25, "seconds": 0.3}, Conduct(True, seconds=(0.1, 0.2, 1, 1)), True),
        ({"rule": "fast", "most": 0.5, "seconds": 0.3}, Conduct(True, seconds=(0.1, 0.2, 1, 1)), False),
        ({"rule": "fast", "most": 0.25, "seconds": 0.3}, Conduct(True, seconds=(None, None, 1, 1)), True),
        ({"rule": "incomplete"}, Conduct(False), True),
        ({"rule": "one_answer"}, Conduct(True, scored=("human",) * 10), True),
        ({"rule": "one_answer"}, Conduct(True, scored=("human",) * 9), False),
        ({"rule": "one_answer"}, Conduct(True, scored=("human",) * 19 + ("synthetic",)), False),
    ],
)
def test_rules(study, rule, how, out):
    from beholder.study.design.file import Exclude

    assert broken(study.model_copy(update={"exclude": (Exclude(**rule),)}), how) == ([rule["rule"]] if out else [])


def test_answers_that_do_not_tell_of_frames_count_as_not_seen(study, tables):
    items = {item.id: item for item in study.items}
    mine = [(row, answer("a" * 32, row["position"], "human")) for row in tables["trials"] if row["session"] == "a" * 32]
    assert conduct(study, tables["sessions"][0], mine, items).frames_shown == pytest.approx(0.9)
    for silent in ({"frames": None, "dropped": None}, {"frames": 0, "dropped": 0}):
        half = [(row, one | (silent if at % 2 else {})) for at, (row, one) in enumerate(mine)]
        assert conduct(study, tables["sessions"][0], half, items).frames_shown == pytest.approx(0.45)
        none = [(row, one | silent) for row, one in mine]
        assert conduct(study, tables["sessions"][0], none, items).frames_shown == 0
    early = study.model_copy(update={"trials": study.trials.model_copy(update={"answer_after_end": False})})
    assert conduct(early, tables["sessions"][0], none, items).frames_shown is None  # they need not have seen the end


def test_how_a_study_that_follows_no_preset_differs_from_its_paper_is_exported(tmp_path):
    assert export._unlike(None) == export._unlike(tmp_path) == {}
    (tmp_path / "about.json").write_text(json.dumps({UNLIKE: {"duration": "2 s; the source: 5 s"}, "seed": 0}))
    assert export._unlike(tmp_path) == {UNLIKE: {"duration": "2 s; the source: 5 s"}}
