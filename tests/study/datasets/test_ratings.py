"""Anybody's table of ratings."""

import json
import math

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beholder.errors import Misuse
from beholder.registry.load import dataset
from beholder.study.datasets.ratings import ratings
from beholder.study.ratings import clean, ratings_of
from study_files import write

LONG = "item,system,group,dimension,rater,value\na,m1,p1,static,x,3\na,m1,p1,static,y,4.5\nb,m2,p1,static,x,2\n"


def table(path, **settings):
    return ratings_of(ratings(path, **settings))


def rows(found):
    return list(found.table.itertuples(index=False, name=None))


@pytest.fixture
def csv(tmp_path):
    return lambda text, name="mine.csv": write(tmp_path / name, text)


EXPECTED = [("a", "m1", "p1", "static", "x", 3.0), ("a", "m1", "p1", "static", "y", 4.5),
            ("b", "m2", "p1", "static", "x", 2.0)]  # fmt: skip
RECORDS = [dict(zip(LONG.splitlines()[0].split(","), row, strict=True)) for row in EXPECTED]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("mine.csv", LONG),
        ("mine.csv", "\ufeff" + LONG),
        ("mine.tsv", LONG.replace(",", "\t")),
        ("mine.json", json.dumps(RECORDS)),
        ("mine.jsonl", "\n".join(map(json.dumps, RECORDS)) + "\n"),
        ("mine.json", json.dumps({"a": RECORDS[:2], "b": RECORDS[2]})),
        ("mine.jsonl", "\n".join(json.dumps({row["item"]: row}) for row in RECORDS)),
        ("mine.csv", LONG.replace("item,system,group", "Video, Model ,PROMPT").replace("rater,value", "observer,MOS")),
    ],
    ids=["csv", "csv with a mark", "tsv", "json", "lines", "json by item", "lines by item", "synonyms"],
)
def test_every_format_gives_the_same_table(csv, name, text):
    assert rows(table(csv(text, name))) == EXPECTED


def test_parquet_gives_the_same_table(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    file = tmp_path / "mine.parquet"
    frame = pd.DataFrame(RECORDS).assign(rater=[1, 2, 1], clip=[0.5, 0.5, 0.1])
    duckdb.from_df(frame).write_parquet(str(file))
    found = table(file)
    assert [row[4] for row in rows(found)] == ["1", "2", "1"]
    assert found.columns["clip"].to_dict() == {"a": 0.5, "b": 0.1}


def test_values_by_item(csv):
    found = table(csv(json.dumps({"a": 3, "b": [1, None, 5], "c": True}), "mine.json"))
    quality = [("a", "", "", "quality", "unnamed 1", 3.0), ("b", "", "", "quality", "1", 1.0),
               ("b", "", "", "quality", "3", 5.0), ("c", "", "", "quality", "unnamed 1", 1.0)]  # fmt: skip
    assert rows(found) == quality
    assert "1 item is without a value in some rows, which are left out: b" in found.remarks


def test_columns_are_measures_facts_of_raters_or_named_as_not_used(csv):
    text = (
        "video,score,observer,age,country,clip,empty,note,trial\n"
        "a,3,ann,34,DE,0.5,,x,1\na,4,bob,50,FR,0.5,,y,2\nb,NA,ann,34,DE,,,z,3\nb,2,bob,50,FR,1e-1,,x,4\n,2,bob,50,FR,,,x,5\n"
    )
    found = table(csv(text))
    assert found.columns.to_dict() == {"clip": {"a": 0.5, "b": 0.1}}
    assert found.raters == {"ann": {"age": "34", "country": "DE"}, "bob": {"age": "50", "country": "FR"}}
    assert found.remarks == (
        "columns recognised by other names: video as item, observer as rater, score as value",
        "1 row names no item and is left out",
        "3 columns are not used: empty, note, trial",
        "1 item is without a value in some rows, which are left out: b",
    )


def test_the_schemas_own_word_comes_first(csv):
    found = table(csv("id,item,score,value\nq,a,1,2\nq,b,3,4\n"))
    assert [row[0::5] for row in rows(found)] == [("a", 2.0), ("b", 4.0)]
    assert list(found.columns) == ["score"]
    assert found.remarks == ("1 column is not used: id",)


def test_a_wide_table(csv):
    file = csv("video,subject,static,temporal,score,clip\na,1,3,4,9,.5\na,2,2,,8,.5\nb,1,1,1,7,.25\n,1,1,1,7,\n")
    found = table(file, dimension="static, temporal")
    assert [row[0:1] + row[3:] for row in rows(found)] == [
        ("a", "static", "1", 3.0), ("a", "static", "2", 2.0), ("b", "static", "1", 1.0),
        ("a", "temporal", "1", 4.0), ("b", "temporal", "1", 1.0),
    ]  # fmt: skip
    assert list(found.columns) == ["clip"]
    assert {"1 column is not used: score", "1 row names no item and is left out"} <= set(found.remarks)
    same = ratings_of(dataset("study.datasets", f'ratings(dimension="static,temporal"):{file}'))
    assert rows(same) == rows(found)


def test_some_dimensions_of_a_long_table(csv):
    file = csv(LONG.replace("b,m2,p1,static", "b,m2,p1,temporal"))
    assert table(file, dimension="temporal").dimensions == ("temporal",)


def test_a_second_file_of_measures_joins_by_item(csv):
    csv("image,score,lpips,words\na,1,2,q\nc,1,inf,q\n", "scores.csv")
    found = table(csv(LONG), measures="scores.csv")  # beside the table
    assert found.columns["score"].to_dict() == pytest.approx({"a": 1.0, "b": math.nan}, nan_ok=True)
    assert found.remarks == (
        "columns recognised by other names: image as item",
        "1 column is in scores.csv but not used: words",
        "1 item is in scores.csv but not rated: c",
        "1 rated item is not in scores.csv: b",
    )


def test_where_items_lie(csv, tmp_path):
    write(tmp_path / "clips" / "a.mp4", "no film")
    found = ratings(csv("item,value,file\na,1,clips/a.mp4\nb,2,clips/b.mp4\n"))
    assert [sample.stimulus.media for sample in found] == [tmp_path / "clips" / "a.mp4", None]
    assert "1 file is not there: b" in found.remarks


def test_texts_are_kept_as_they_stand(csv):
    found = table(csv("item,system,rater,value\n007,NA,1.0,3\n7,None,NA,4\n7,None,,5\n"))
    assert [row[:2] + row[4:] for row in rows(found)] == [
        ("007", "NA", "1.0", 3.0), ("7", "None", "unnamed 1", 4.0), ("7", "None", "unnamed 2", 5.0),
    ]  # fmt: skip
    assert "2 ratings name no rater" in found.remarks


BAD = [
    ("mine.csv", "", {}, "mine.csv: got an empty file; expected a table of ratings with the columns item and value"),
    ("mine.csv", "item,value\n", {}, "got no rows"),
    ("mine.csv", "itm,value\na,1\n", {}, "no column called item, nor by another usual name such as video or image "
     "or stimulus; got itm, value; did you mean 'itm'?"),
    ("mine.csv", "item,static\na,1\n", {}, "no column called value, nor by another usual name such as score or rating "
     "or mos; got item, static; for a wide table give dimension=COLUMN,COLUMN"),
    ("mine.csv", "item,static\na,1\n", {"dimension": "statc"}, "no column called 'statc'; did you mean 'static'?"),
    ("mine.csv", LONG, {"dimension": "statc"}, "no dimension called 'statc'; did you mean 'static'?"),
    ("mine.csv", "item,value\na,good\nb,bad\n", {}, "in the column of ratings, but values such as 'good'"),
    ("mine.csv", "item,value\n,1\n", {}, "got no row that names an item"),
    ("mine.csv", "item,value,system\na,1,m\na,2,n\n", {}, "got item 'a' with 2 different values of 'system'"),
    ("mine.csv", '"item,value\na,1\n', {}, "got no table that can be read"),
    ("mine.xlsx", "x", {}, "got the suffix '.xlsx'; expected .csv, .tsv, .parquet, .txt, .json, .jsonl, .ndjson"),
    ("mine.json", "{", {}, "not valid JSON"),
    ("mine.json", "3", {}, "got a int; expected a list of records"),
    ("mine.json", "[3]", {}, "got '3' in a list; expected records"),
    ("mine.json", '{"a": [[1, 2]]}', {}, "got lists in the list of item 'a'"),
    ("mine.json", '{"a": 1, "a": 2}', {}, "got the key 'a' twice in one object"),
    ("mine.json", "[]", {}, "got no rows"),
    ("mine.jsonl", '{"a": 1}\n{"b": \n', {}, "line 2: not valid JSON"),
    ("mine.json", "[" * 100_000, {}, "nested too deeply"),
    ("mine.csv", LONG, {"measures": "none.csv"}, "none.csv, which is not a file; expected a table of measures"),
    ("mine.csv", LONG, {"measures": "mine.csv"}, "got the item 'a' twice; expected one row for each item"),
    ("mine.csv", LONG, {"measures": "other.csv"}, "items that nobody rated, such as 'z'; expected some of a, b"),
    ("mine.csv", LONG, {"measures": "words.csv"}, "got no column of numbers"),
    ("mine.csv", LONG.replace("value\n", "value,clip\n").replace("3\n", "3,1\n"), {"measures": "both.csv"},
     "got the measure 'clip' in "),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "asked", "sentence"), BAD)
def test_bad_input_is_one_sentence(tmp_path, name, text, asked, sentence):
    write(tmp_path / "other.csv", "item,clip\nz,1\n")
    write(tmp_path / "words.csv", "item,clip\na,x\n")
    write(tmp_path / "both.csv", "item,clip\na,1\n")
    file = write(tmp_path / name, text)
    with pytest.raises(Misuse) as told:
        ratings(file, **asked)
    assert sentence in str(told.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(Misuse, match="which is not a file; expected a table of ratings"):
        ratings(tmp_path / "none.csv")


words = st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=6)
rating = st.tuples(words.filter(bool), words, words, st.floats(allow_nan=False, allow_infinity=False))


@settings(max_examples=60)
@given(st.lists(rating, min_size=1, max_size=8))
def test_what_is_written_reads_back_the_same(tmp_path_factory, ratings_made):
    made = pd.DataFrame(ratings_made, columns=["item", "dimension", "rater", "value"])
    made = made.assign(system=made["item"].str[:1], group=made["item"].str[-1:])
    once = clean(made)
    file = tmp_path_factory.mktemp("ratings") / "mine.csv"
    once.table.to_csv(file, index=False)
    pd.testing.assert_frame_equal(table(file).table, once.table)
