import csv
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beholder.core.scores import COLUMNS, ROLES, labels, read, table, whole, write
from beholder.errors import UNSEEN, Misuse, printable
from toys import score

NAN = math.nan


texts = st.text(st.characters(codec="utf-8"), max_size=12)
numbers = st.floats(width=64)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("scores")


@pytest.mark.slow
@given(rows=st.lists(st.tuples(texts, texts, numbers, texts, st.integers(0, 2**40)), max_size=6))
def test_what_is_written_is_read_back_and_written_the_same(folder, rows):
    frame = table(score(m, u, v, reason=r, n=n) for m, u, v, r, n in rows)
    write(frame, folder / "one.csv")
    again = read(folder / "one.csv")
    write(again, folder / "two.csv")
    assert again.equals(frame)
    assert (again.dtypes == frame.dtypes).all()
    assert (folder / "one.csv").read_bytes() == (folder / "two.csv").read_bytes()


def test_the_file_is_plain(tmp_path):
    write(
        table([score(value=0.1), score(unit="2", value=NAN, repeat=3, state="na", reason="no people here")]),
        tmp_path / "scores.csv",
    )
    assert (tmp_path / "scores.csv").read_bytes().decode().split("\n") == [
        ",".join(COLUMNS),
        "toy/dense,1,a,model,toy,1,0,bad,,,all,lower,0.1,nan,nan,1,ok,,",
        "toy/dense,1,a,model,toy,2,3,bad,,,all,lower,nan,nan,nan,1,na,no people here,",
        "",
    ]
    assert [file.name for file in tmp_path.iterdir()] == ["scores.csv"]


CELLS = {  # a text of somebody's, and how it stands in the file
    "=1+1": "'=1+1",
    "+1+1": "'+1+1",
    "-2-3": "'-2-3",
    "@SUM(A1)": "'@SUM(A1)",
    "'tis": "''tis",
    "'=1": "''=1",
    "-45": "-45",
    "+0.5": "+0.5",
    "teddy=1": "teddy=1",
    "\t=1": r"\t=1",
    "\r=1": r"\r=1",
    "\x1b[31mred\x1b[0m": r"\x1b[31mred\x1b[0m",
    "a\0b": r"a\x00b",
    "one\ntwo": r"one\ntwo",
    "\u202egnp.exe": r"\u202egnp.exe",
    "\u2028": r"\u2028",
    "caf\xe9 \u200d": "caf\xe9 \u200d",
}


@pytest.mark.parametrize("column", ["model", "unit", "reason"])
def test_no_text_is_executed_by_a_spreadsheet_or_moves_a_cursor(tmp_path, column):
    frame = table([score(**{column: text}) for text in CELLS])
    write(frame, tmp_path / "scores.csv")
    text = (tmp_path / "scores.csv").read_text("utf-8")
    assert UNSEEN.sub("", text.replace("\n", "")) == text.replace("\n", "")
    assert [row[column] for row in csv.DictReader(text.splitlines())] == list(CELLS.values())
    assert read(tmp_path / "scores.csv").equals(frame)
    assert frame[column].tolist() == [printable(text) for text in CELLS]


def test_a_number_stays_a_number(tmp_path):
    import pandas as pd

    write(table([score(value=-1.5), score(unit="2", value=-math.inf)]), tmp_path / "scores.csv")
    assert pd.read_csv(tmp_path / "scores.csv")["value"].tolist() == [-1.5, -math.inf]


def test_bytes_that_are_no_text_do_not_lose_the_table(tmp_path):
    write(table([score(reason="caf\udce9")]), tmp_path / "scores.csv")
    assert read(tmp_path / "scores.csv")["reason"].tolist() == [r"caf\udce9"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("model,value\na,1\n", "has no column 'benchmark'"),
        (",".join(COLUMNS) + "\nb,1,a,model,toy,1,0,bad,,,all,less,1,nan,nan,1,ok,,\n", "row 1: got better 'less'"),
        (",".join(COLUMNS) + "\nb,1,a,null,toy,1,0,bad,,,all,lower,1,nan,nan,1,ok,,\n", "row 1: got role 'null'"),
        (",".join(COLUMNS) + "\nb,1,a,model,toy,1,0,bad,,,all,lower,1,nan,nan,1,fine,,\n", "row 1: got state 'fine'"),
    ],
)
def test_a_file_that_is_no_table_is_refused_with_a_sentence(tmp_path, text, said):
    (tmp_path / "scores.csv").write_text(text)
    with pytest.raises(Misuse, match=said):
        read(tmp_path / "scores.csv")


def test_a_missing_file_is_refused_with_a_sentence(tmp_path):
    with pytest.raises(Misuse, match=r"does not exist; expected the scores\.csv of a run"):
        read(tmp_path / "scores.csv")


def test_no_role_is_read_as_missing(tmp_path):
    import pandas as pd

    write(table([score(role=role) for role in ROLES]), tmp_path / "scores.csv")
    assert pd.read_csv(tmp_path / "scores.csv")["role"].tolist() == list(ROLES)


def test_labels_name_settings_and_parts():
    rows = [score(), score(settings="delta=0.5"), score(part="tau"), score(settings="k=1", part="tau")]
    assert labels(table(rows)).tolist() == ["bad", "bad(delta=0.5)", "bad.tau", "bad(k=1).tau"]
    assert whole(table(rows))["settings"].tolist() == ["", "delta=0.5"]
