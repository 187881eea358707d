"""Films on a page: marks where their moments are, nothing that plays by itself, and no trace where there is none."""

from __future__ import annotations

import re
from importlib import resources
from typing import Any

import pytest

from beholder.evaluation.sections import Section
from beholder.reports._samples import samples
from beholder.reports.html import html

EVIL = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
SHEET = "figures/attention_scanpath/office/desk"


def moment(row: str = "TCS", start: float = 1.0, end: float = 1.5, **more: Any) -> dict[str, Any]:
    return {"row": row, "start": start, "end": end, "box": [0.25, 0.5, 0.75, 1.0], "text": "", "excused": "", **more}


def film(model: str = "near", *moments: dict[str, Any], **more: Any) -> dict[str, Any]:
    curve = {"seconds": [0, 1, 2, 3], "values": [0.0, 0.5, None, 1.0], "low": 0.0, "high": 1.0, "unit": "diag/s"}
    made = {
        "model": model,
        "file": f"desk/{model}.mp4",
        "poster": f"desk/{model}.webp",
        "fault": "",
        "shape": [180, 320],
        "seconds": 4.0,
        "note": "TCS 0.93",
        "rows": {"MSS": "motion smoothness", "TCS": "temporal coherence"},
        "moments": list(moments),
        "curves": {"motion": curve},
    }
    return {**made, **more}


def with_films(people: Section, *films: dict[str, Any]) -> Section:
    return people._replace(drawn={SHEET: {"id": "desk", "films": list(films)}})


def players(section: Section) -> Any:
    (one,) = samples(section, str)["items"]  # type: ignore[index]
    return one.players


def test_marks_stand_where_their_moments_are(people: Section) -> None:
    section = with_films(people, film("near", moment(text="vanish"), moment("MSS", 3.99, 4.1, excused="shot cut")))
    (player,) = players(section)
    smooth, coherent = player.lines
    (mark,) = coherent.marks
    assert (mark.left, mark.width, mark.box) == (25.0, 12.5, "25.0 50.0 50.0 50.0")
    assert mark.says == "1.00–1.50 s, TCS: vanish"
    (cut,) = smooth.marks
    assert cut.left + cut.width == pytest.approx(100)  # never beyond the end
    assert cut.says == "3.99–4.10 s, MSS (excused: shot cut)"
    assert (player.flagged, player.says) == (1, "1 flagged moment")
    assert player.file == "figures/attention_scanpath/office/desk/near.mp4"


def test_a_line_that_found_nothing_is_shown_and_one_that_is_not_named_too(people: Section) -> None:
    section = with_films(people, film("near", moment("other")))
    (line, empty, other) = players(section)[0].lines
    assert (line.name, empty.name, other.name) == ("MSS", "TCS", "other")
    assert (len(line.marks), len(empty.marks), len(other.marks)) == (0, 0, 1)
    assert len({line.colour, empty.colour, other.colour}) == 3


def test_a_curve_is_interrupted_where_nothing_is_known(people: Section) -> None:
    section = with_films(people, film())
    (curve,) = players(section)[0].curves
    assert curve.stretches == ("0.0,19.0 25.0,10.0",)  # a single point is no stretch
    assert curve.says == "motion, from 0 to 1 diag/s"


def test_nothing_plays_by_itself_or_is_loaded_before_it_is_asked_for(people: Section) -> None:
    text = html([with_films(people, film("near"), film("far"))])
    videos = re.findall(r"<video ([^>]*)>", text)
    assert len(videos) == 2
    for video in videos:
        assert {"controls", "muted", "loop", "playsinline", 'preload="none"'} <= set(video.split())
        assert "autoplay" not in video
    assert not re.search(r"\bfetch\(|autoplay|@keyframes|transition", text)


def test_the_sheet_stands_with_its_films_and_not_in_the_gallery(people: Section) -> None:
    text = html([with_films(people, film())])
    assert text.count(f'href="{SHEET}.svg"') == 1
    assert '<div class="gallery">' not in text


def test_a_page_without_films_has_no_clip(people: Section) -> None:
    assert "<video" not in html([people])


def test_names_and_reasons_are_text(people: Section) -> None:
    hostile = film(EVIL, moment(EVIL, text=EVIL, excused=EVIL), note=EVIL, fault="", rows={EVIL: EVIL})
    text = html([with_films(people, hostile, film(fault=EVIL))])
    assert "<script>alert" not in text
    assert "<img src=x" not in text
    assert text.count("&lt;script&gt;alert(1)") > 8


def test_a_film_that_could_not_be_written_says_why(people: Section) -> None:
    text = html([with_films(people, film(fault="ValueError: frame 2 is damaged"))])
    assert "<video" not in text
    assert "could not be written for the page (ValueError: frame 2 is damaged)" in text


def luminance(code: str) -> float:
    """Relative luminance of a colour (WCAG 2.1)."""
    parts = [int(code[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize(("scheme", "ground"), [(0, "#ffffff"), (1, "#14171a")])
def test_the_names_of_lines_can_be_read_in_their_colours(scheme: int, ground: str) -> None:
    css = resources.files("beholder.reports").joinpath("templates/films.css").read_text("utf-8")
    colours = re.findall(r"--c\d: (#[0-9a-f]{6})", css)[5 * scheme : 5 * scheme + 5]
    assert len(colours) == 5
    for colour in colours:
        high, low = sorted((luminance(colour), luminance(ground)), reverse=True)
        assert (high + 0.05) / (low + 0.05) >= 4.5, colour
