"""Films in a real browser, opened from disk: marks jump, boxes and the playhead follow, and keys do what clicks do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from beholder.core.film import Curve, Film, Moment
from beholder.evaluation.films import write_films
from beholder.evaluation.sections import Section
from beholder.reports.html import html

pytestmark = pytest.mark.browser
RATE, COUNT = 8.0, 24
STEP = 1 / RATE


def film(level: int) -> Film:
    """A block that moves by 4 px a frame over 3 s; it is flagged from 1 s and from 2 s, and excused from 1.5 s."""
    pixels = np.full((COUNT, 90, 160, 3), level, np.uint8)
    for at, frame in enumerate(pixels):
        frame[30:60, 4 * at : 4 * at + 30] = (230, 180, 60)
    moments = (
        Moment("TCS", 1.0, 1.25, (0.2, 0.3, 0.5, 0.7), "vanish or emerge"),
        Moment("MSS", 2.0, 2.125, None, "quality drop"),
        Moment("TCS", 1.5, 1.625, (0.0, 0.0, 0.1, 0.1), "vanish or emerge", "it leaves through the border"),
    )
    times = np.arange(COUNT) / RATE
    curve = Curve(times, np.sin(times), -1.0, 1.0)
    rows = {"MSS": "motion smoothness", "TCS": "temporal coherence"}
    return Film(zip(times.tolist(), pixels, strict=True), COUNT / RATE, rows, moments, {"motion": curve})


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory, people: Section) -> Path:
    folder = tmp_path_factory.mktemp("a report")
    sheet = folder / people.figures[0]
    sheet.parent.mkdir(parents=True)
    sheet.write_text('<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48"/>')
    found = write_films({"near": film(40), "far": film(90)}, sheet)
    drawn = {people.figures[0].removesuffix(".svg"): {"id": "desk", "films": found}}
    (folder / "index.html").write_text(html([people._replace(drawn=drawn)]), "utf-8")
    return folder / "index.html"


def first(page: Any) -> Any:
    return page.locator(".film").first


def arrived(page: Any, seconds: float) -> None:
    """Wait until the first clip stands still at a time, and what stands around it was drawn."""
    near = "Math.abs(v.currentTime - t) < 0.02"
    check = f"t => {{ const v = document.querySelector('video'); return v.paused && !v.seeking && {near}; }}"
    page.wait_for_function(check, arg=seconds)
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def boxes(page: Any) -> list[str]:
    """The boxes that are seen, as left, top, width and height."""
    place = "[e.style.left, e.style.top, e.style.width, e.style.height].join(' ')"
    look = f"all => all.filter(e => !e.hidden).map(e => {place})"
    return list(first(page).locator(".boxes div").evaluate_all(look))


def test_a_mark_leads_to_its_moment_and_shows_its_box(opened: Callable[..., Any], file: Path) -> None:
    page = opened(file)
    assert page.locator("video").first.evaluate("v => [v.readyState, v.paused, v.controls]") == [0, True, False]
    first(page).get_by_role("button", name="1.00–1.25 s, TCS").click()
    arrived(page, 1.0)
    page.wait_for_function("document.querySelector('video').readyState >= 2")
    assert boxes(page) == ["20% 30% 30% 40%"]
    assert "vanish or emerge" in first(page).get_by_role("status").inner_text()
    left = float(first(page).locator(".head").evaluate("e => e.style.left").rstrip("%"))
    assert left == pytest.approx(100 * 1.0 / 3, abs=0.5)


def test_the_same_mark_again_leads_to_its_last_frame(opened: Callable[..., Any], file: Path) -> None:
    page = opened(file)
    mark = first(page).get_by_role("button", name="1.00–1.25 s, TCS")
    mark.click()
    arrived(page, 1.0)
    mark.click()
    arrived(page, 1.25)
    assert boxes(page) == ["20% 30% 30% 40%"]  # it is still seen there
    mark.click()
    arrived(page, 1.0)


def test_keys_do_what_clicks_do(opened: Callable[..., Any], file: Path) -> None:
    page = opened(file)
    first(page).get_by_role("button", name="2.00–2.12 s, MSS").focus()
    page.keyboard.press("Enter")
    arrived(page, 2.0)
    assert boxes(page) == ["0% 0% 100% 100%"]  # the whole frame, where no place is known
    first(page).get_by_role("slider").focus()
    page.keyboard.press("Home")
    arrived(page, 0.0)
    assert boxes(page) == []


def test_what_is_excused_has_a_box_only_when_it_is_asked_for(opened: Callable[..., Any], file: Path) -> None:
    page = opened(file)
    first(page).get_by_role("slider").fill("1.55")
    arrived(page, 1.55)
    assert boxes(page) == []
    first(page).get_by_role("button", name="excused: it leaves through the border").click()
    arrived(page, 1.5)
    assert boxes(page) == ["0% 0% 10% 10%"]


def test_flagged_moments_are_gone_through_in_both_directions(opened: Callable[..., Any], file: Path) -> None:
    page = opened(file)
    after = first(page).get_by_role("button", name="next flagged moment")
    for seconds in (1.0, 2.0, 1.0):  # the excused one is passed over, and after the last comes the first
        after.click()
        arrived(page, seconds)
    first(page).get_by_role("button", name="previous flagged moment").click()
    arrived(page, 2.0)


def test_clips_play_together_when_they_are_asked_to(opened: Callable[..., Any], file: Path) -> None:
    page = opened(file)
    button = page.get_by_role("button", name="Play all")
    button.click()
    page.wait_for_function("[...document.querySelectorAll('video')].every(v => !v.paused && v.currentTime > 0.2)")
    head = first(page).locator(".head")
    assert float(head.evaluate("e => e.style.left").rstrip("%") or 0) > 1
    page.get_by_role("button", name="Pause all").click()
    page.wait_for_function("[...document.querySelectorAll('video')].every(v => v.paused)")


def test_the_film_lasts_as_long_as_the_clip(opened: Callable[..., Any], file: Path) -> None:
    page = opened(file)
    first(page).get_by_role("slider").fill("2.9")
    arrived(page, 2.9)
    assert page.locator("video").first.evaluate("v => v.duration") == pytest.approx(COUNT / RATE, abs=1e-3)


@pytest.mark.parametrize("width", [390, 1400])
def test_it_fits_the_window(opened: Callable[..., Any], file: Path, width: int) -> None:
    page = opened(file, viewport={"width": width, "height": 800})
    page.get_by_role("button", name="All models").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_without_a_script_the_browser_plays_it(browser: Any, file: Path) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(file.as_uri())
    assert first(page).locator("video[controls]").is_visible()
    assert not first(page).get_by_role("slider").is_visible()
    page.context.close()
