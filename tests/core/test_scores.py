import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beholder.core.scores import COLUMNS, ROLES, labels, read, table, whole, write
from beholder.errors import Misuse
from toys import score

NAN = math.nan


texts = st.text(st.characters(codec="utf-8"), max_size=12)
numbers = st.floats(width=64)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("scores")


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
