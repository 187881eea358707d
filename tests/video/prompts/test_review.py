"""Stage c: the sheet goes out, verdicts come back."""

import csv
import io

import pytest

from beholder.errors import Misuse
from beholder.video.prompts.entry import Entry
from beholder.video.prompts.review import (
    COLUMNS,
    Verdict,
    from_study,
    read_sheet,
    reviewed,
    sheet,
    write_sheet,
)

ENTRIES = [
    Entry("A dog runs, “fast”, over the grass.", "a dog", "dog", "park", "running", "0001", "biological"),
    Entry('=HYPERLINK("http://x","y") runs', "+one", "@dog", "-place", "=1+1", "0002", "fluid"),
    Entry("Rain falls on\nthe roof.", index="0003", pattern="weather"),
]


def _filled(tmp_path, *verdicts, mark=",", name="sheet.csv", numbers=False):
    """The sheet as a spreadsheet saves it: verdicts filled in, another separator, and 1 in place of 0001."""
    rows = list(csv.DictReader(io.StringIO(sheet(ENTRIES).removeprefix("\ufeff"))))
    text = io.StringIO()
    out = csv.DictWriter(text, COLUMNS, delimiter=mark, lineterminator="\r\n")
    out.writeheader()
    for row, (said, edited) in zip(rows, verdicts, strict=True):
        out.writerow(
            {**row, "verdict": said, "edited": edited, "index": row["index"].lstrip("0") if numbers else row["index"]}
        )
    path = tmp_path / name
    path.write_bytes(text.getvalue().encode("utf-8-sig"))
    return path


def test_no_cell_is_executed_by_a_spreadsheet(tmp_path):
    write_sheet(ENTRIES, tmp_path / "to" / "sheet.csv")
    data = (tmp_path / "to" / "sheet.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbf")  # spreadsheets take it for UTF-8
    rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))
    assert rows[0] == list(COLUMNS)
    assert not [cell for row in rows for cell in row if cell[:1] in ("=", "+", "-", "@", "\t", "\r")]


@pytest.mark.parametrize(("mark", "numbers"), [(",", False), (";", True), ("\t", True)])
def test_verdicts_come_back(tmp_path, mark, numbers):
    path = _filled(tmp_path, ("Keep", ""), ("no", ""), ("edit", "Heavy rain falls."), mark=mark, numbers=numbers)
    with pytest.raises(Misuse, match="another prompt"):  # it is the sheet of another set
        read_sheet(path, [*ENTRIES[:2], Entry("Snow falls.", index="0003")])
    found = read_sheet(path, ENTRIES)
    assert found == {"0001": Verdict("keep"), "0002": Verdict("drop"), "0003": Verdict("edit", "Heavy rain falls.")}
    left = reviewed(ENTRIES, [found])
    assert [entry.prompt for entry in left.kept] == [ENTRIES[0].prompt, "Heavy rain falls."]
    assert left.kept[1].more == {"edited": True}
    assert left.notes == ["0003, edited: length"]
    assert (left.kept[1].pattern, left.kept[1].by) == ("weather", "rules")
    assert left.text() == "1 keep, 1 edit, 1 drop"


def test_more_reviewers_than_one():
    one = {"0001": Verdict("keep"), "0002": Verdict("drop"), "0003": Verdict("edit", "First.")}
    two = {"0001": Verdict("drop"), "0002": Verdict(""), "0003": Verdict("edit", "Second.")}
    three = {"0001": Verdict("keep")}
    left = reviewed(ENTRIES, [one, two, three])
    assert [entry.index for entry in left.kept] == ["0001", "0003"]
    assert left.kept[1].prompt == "First."
    assert [entry.index for entry in reviewed(ENTRIES, [one, two]).kept] == ["0003"]  # a tie drops


def test_what_nobody_marked():
    said = {"0001": Verdict("keep"), "0002": Verdict("")}
    with pytest.raises(Misuse, match="got 2 of 3 prompts without a verdict; mark them, or say --unmarked keep"):
        reviewed(ENTRIES, [said])
    assert len(reviewed(ENTRIES, [said], unmarked="keep").kept) == 3
    assert len(reviewed(ENTRIES, [said], unmarked="drop").kept) == 1
    with pytest.raises(Misuse, match="got --unmarked maybe"):
        reviewed(ENTRIES, [said], unmarked="maybe")


@pytest.mark.parametrize(
    ("verdicts", "sentence"),
    [
        ((("perhaps", ""), ("", ""), ("", "")), "line 2: got the verdict 'perhaps'; expected keep, drop or edit"),
        ((("edit", "=1+1"), ("", ""), ("", "")), "line 2: got '=1.1' as the new prompt, a formula"),
        ((("edit", ""), ("", ""), ("", "")), "line 2: got the verdict edit and nothing in the column edited"),
    ],
)
def test_verdicts_that_are_none(tmp_path, verdicts, sentence):
    with pytest.raises(Misuse, match=sentence):
        read_sheet(_filled(tmp_path, *verdicts), ENTRIES)


def test_sheets_that_are_none(tmp_path):
    with pytest.raises(Misuse, match="which is not a file"):
        read_sheet(tmp_path / "none.csv", ENTRIES)
    path = tmp_path / "other.csv"
    for text, sentence in [
        ("a,b\n1,2\n", "got no column index, prompt, verdict"),
        ("index,prompt,verdict\n9999,x,keep\n", "line 2: got the index '9999'"),
    ]:
        path.write_text(text)
        with pytest.raises(Misuse, match=sentence):
            read_sheet(path, ENTRIES)
    path.write_bytes(b"\xff\xfe\xff")
    with pytest.raises(Misuse, match="cannot be read"):
        read_sheet(path, ENTRIES)


def test_answers_of_a_study(tmp_path):
    rows = [
        "use,item,value",
        "trial,prompt-0001,1",
        "trial,prompt-0001,1",
        "trial,prompt-0001,0",
        "practice,prompt-0002,1",
    ]
    rows += ["trial,prompt-0002,1", "trial,prompt-0002,0", "check,check,0"]
    (tmp_path / "answers.csv").write_text("\n".join(rows))
    assert from_study(tmp_path, ENTRIES) == {"0001": Verdict("keep"), "0002": Verdict("drop")}
    (tmp_path / "answers.csv").write_text("use,item,value\ncheck,check,0\n")
    with pytest.raises(Misuse, match="got no answer about these prompts"):
        from_study(tmp_path, ENTRIES)
    (tmp_path / "answers.csv").write_text("a\n1\n")
    with pytest.raises(Misuse, match="got no column item, use, value"):
        from_study(tmp_path, ENTRIES)
