"""Terminal, Markdown, CSV and JSON."""

import csv as reader
import io
import json as decoder
import math
import re
from collections import Counter
from pathlib import Path

import pytest

from beholder.core import scores
from beholder.core.verdict import Note
from beholder.evaluation.sections import Section
from beholder.reports import _notes
from beholder.reports.csv import csv
from beholder.reports.json import json
from beholder.reports.markdown import markdown
from beholder.reports.terminal import terminal

VIEWS = [terminal, markdown, csv, json]


@pytest.fixture(autouse=True)
def _plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FORCE_COLOR", "CLICOLOR_FORCE", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "160")


def squeezed(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("view", [terminal, markdown])
def test_everything_that_must_be_read_is_there(view, stereo: Section) -> None:  # type: ignore[no-untyped-def]
    text = squeezed(view([stereo]))
    official = stereo.scores.query("model == 'sgm' and criterion == 'nonocc'")["value"].mean()
    for piece in (
        _notes.official_headline(stereo),
        f"{official:.1f} [",
        "27/27",
        "21/27",
        "7/9",
        "broken on teddy, venus: ValueError: got shape",
        "flat lies within its interval",
        "The judges differ on the leading models",
        "reference status",
        "verified",
        "↓",
        "Over 7 common scenes",
        "8c1f0a2b3d4e5f60",
        "beholder cite DIR",
    ):
        assert piece in text, piece
    assert text.index(_notes.official_headline(stereo)) < text.index("layer") < text.index("27/27")


@pytest.mark.parametrize("view", VIEWS)
def test_nothing_at_all_is_no_error(view, empty: Section) -> None:  # type: ignore[no-untyped-def]
    view([])
    text = view([empty])
    assert "motion/static" in text or text == ",".join(scores.COLUMNS) + "\n"


def test_the_terminal_fits_its_width(stereo: Section, monkeypatch: pytest.MonkeyPatch) -> None:
    for width in (60, 80, 200):
        monkeypatch.setenv("COLUMNS", str(width))
        lines = terminal([stereo]).splitlines()
        assert max(map(len, lines)) <= width
        assert sum("bad_pixels" in line for line in lines) >= 1


def in_table(line: str) -> bool:
    return line.startswith("│")


@pytest.mark.parametrize("width", [50, 60, 80, 100])
def test_the_terminal_breaks_no_number(
    stereo: Section, saliency: Section, people: Section, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = re.compile(r"\S+ \[-?\d+\.[^\[\]│]*\](?= )")
    sections = [stereo, saliency, people]
    monkeypatch.setenv("COLUMNS", "1000")
    expected = Counter(number.findall("".join(filter(in_table, terminal(sections).splitlines()))))
    monkeypatch.setenv("COLUMNS", str(width))
    shown = list(filter(in_table, terminal(sections).splitlines()))
    assert sum(expected.values()) > 40
    assert Counter(piece for line in shown for piece in number.findall(line)) == expected
    assert all(line.endswith("│") and len(line) <= width for line in shown)


def test_no_colour_where_there_is_no_terminal(stereo: Section) -> None:
    assert "\x1b" not in terminal([stereo])


def test_colour_on_a_terminal(stereo: Section, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[1m" in terminal([stereo])


def test_names_are_not_read_as_markup(saliency: Section) -> None:
    renamed = saliency._replace(notes=(Note("blind", "[bold]a[/bold] :smile: [/]"),))
    assert "[bold]a[/bold] :smile: [/]" in terminal([renamed])


def test_markdown_tables_are_rectangular(stereo: Section, saliency: Section) -> None:
    text = markdown([stereo, saliency._replace(notes=(Note("blind", "a | b"),))])
    blocks = [block.splitlines() for block in text.split("\n\n") if block.startswith("|")]
    assert len(blocks) >= 6
    for block in blocks:
        assert len({line.replace(r"\|", "").count("|") for line in block}) == 1
        assert set(block[1]) <= set("|:- ")


def test_markdown_lets_no_html_through(saliency: Section) -> None:
    text = markdown([saliency])
    assert "<script" not in text
    assert "&lt;script&gt;" in text


def test_figures_are_linked(stereo: Section) -> None:
    assert "(figures/teddy%201.svg)" in markdown([stereo])


def test_csv_is_what_the_run_writes(stereo: Section, tmp_path: Path) -> None:
    scores.write(stereo.scores, tmp_path / "scores.csv")
    assert csv([stereo]).encode() == (tmp_path / "scores.csv").read_bytes()


def test_csv_puts_sections_one_after_the_other(stereo: Section, saliency: Section) -> None:
    rows = list(reader.DictReader(io.StringIO(csv([stereo, saliency]))))
    assert tuple(rows[0]) == scores.COLUMNS
    assert [row["benchmark"] for row in rows] == ["stereo/dense"] * len(stereo.scores) + ["attention/saliency"] * len(
        saliency.scores
    )
    assert float(rows[0]["value"]) == stereo.scores["value"].iloc[0]


def strict(text: str) -> object:
    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is no JSON")

    return decoder.loads(text, parse_constant=refuse)


def test_json_holds_verdicts_summary_notes_and_facts(stereo: Section, saliency: Section) -> None:
    document = strict(json([stereo, saliency]))
    first, second = document["sections"]  # type: ignore[index]
    verdict = first["verdicts"][0]
    assert verdict["method"] == "Pareto dominance"
    assert verdict["best"] == ["sgm", "census"]
    assert verdict["standing"][2] == {"model": "block", "layer": 2, "in_best": 0.02, "dominated_by": "sgm"}
    assert verdict["says"] == stereo.verdicts[0].says
    assert verdict["notes"] == ["3 of 27 components do not apply to every model and were left out"]
    assert verdict["left_out"] == dict(stereo.verdicts[0].left_out)
    assert first["facts"]["seed"] == 7
    assert first["notes"] == _notes.notes(stereo)
    assert first["common"][0]["says"].startswith("Over 7 common")
    assert len([r for r in second["summary"] if r["role"] == "person"]) == 8


def test_json_says_null_for_nan_and_a_word_for_infinity(stereo: Section) -> None:
    broken = stereo.scores.copy()
    broken.loc[(broken["model"] == "sgm") & (broken["measure"] == "density") & (broken["part"] == ""), "value"] = (
        math.inf
    )
    facts = {**stereo.facts, "worst": math.nan, "path": Path("a")}
    document = strict(json([stereo._replace(scores=broken, facts=facts)]))
    section = document["sections"][0]  # type: ignore[index]
    found = {(r["model"], r["measure"], r["part"]): r for r in section["summary"]}
    assert found["sgm", "density", ""]["value"] == "inf"
    assert found["sgm", "density", "slope"]["lo"] is None
    assert section["facts"]["worst"] is None
    assert section["facts"]["path"] == "a"
