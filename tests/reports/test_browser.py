"""The page in a real browser, opened from disk."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from beholder.evaluation.sections import Section
from beholder.reports.html import html

pytestmark = pytest.mark.browser
EVIL = "<script>alert('x')</script>"
DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48"><rect width="64" height="48"/></svg>'


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory, stereo: Section, saliency: Section) -> Path:
    folder = tmp_path_factory.mktemp("a report")
    for name in (*stereo.figures, *saliency.figures):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(DRAWING)
    (folder / "index.html").write_text(html([stereo, saliency]), "utf-8")
    return folder / "index.html"


def column(page: Any, name: str) -> list[str]:
    """The texts of a column of the first table of rows."""
    box = page.locator(".rows").first
    names = box.locator("thead button").all_inner_texts()
    return list(box.locator(f"tbody td:nth-child({names.index(name) + 1})").all_inner_texts())


def head(page: Any, name: str) -> Any:
    return page.locator(".rows").first.get_by_role("button", name=name, exact=True)


def test_a_click_sorts_up_and_down_with_the_missing_last(
    opened: Callable[..., Any], file: Path, stereo: Section
) -> None:
    page = opened(file)
    expected = sorted(stereo.scores["value"].dropna())
    head(page, "value").click()
    up = [float(text) for text in column(page, "value") if text != "—"]
    assert up == pytest.approx(expected, rel=1e-5)
    assert column(page, "value")[-6:] == ["—"] * 6
    assert page.locator("th[aria-sort=ascending]").inner_text().strip() == "value"
    head(page, "value").click()
    down = column(page, "value")
    assert [float(text) for text in down[:-6]] == pytest.approx(expected[::-1], rel=1e-5)
    assert down[-6:] == ["—"] * 6
    head(page, "model").click()
    assert page.locator("th[aria-sort=descending]").count() == 0
    assert column(page, "model") == sorted(stereo.scores["model"])


def test_the_keyboard_sorts_too(opened: Callable[..., Any], file: Path) -> None:
    page = opened(file)
    head(page, "unit").focus()
    page.keyboard.press("Enter")
    units = column(page, "unit")
    assert units[0] == "*"
    assert units == sorted(units)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "measure"


def test_the_filter_keeps_rows_with_all_words(opened: Callable[..., Any], file: Path, stereo: Section) -> None:
    page = opened(file)
    page.locator("input[type=search]").first.fill("TEDDY sgm")
    page.wait_for_function("document.querySelectorAll('.rows')[0].querySelectorAll('tbody tr').length === 3")
    assert set(column(page, "model")) == {"sgm"}
    assert page.locator(".count").first.inner_text() == "3 of 3 rows shown"
    page.locator("input[type=search]").first.fill("no such thing")
    page.wait_for_function("document.querySelectorAll('.rows')[0].querySelectorAll('tbody tr').length === 0")
    page.locator("input[type=search]").first.fill("")
    size = len(stereo.scores)
    page.wait_for_function(f"document.querySelectorAll('.rows')[0].querySelectorAll('tbody tr').length === {size}")


def test_a_filtered_table_stays_sorted(opened: Callable[..., Any], file: Path) -> None:
    page = opened(file)
    head(page, "value").click()
    page.locator("input[type=search]").first.fill("census")
    page.wait_for_function("document.querySelectorAll('.rows')[0].querySelectorAll('tbody tr').length === 29")
    values = [float(text) for text in column(page, "value")]
    assert values == sorted(values)


def test_the_list_of_sections_leads_to_each(opened: Callable[..., Any], file: Path) -> None:
    page = opened(file)
    page.get_by_role("link", name="attention/saliency").click()
    top = page.evaluate("document.querySelector('#section-2').getBoundingClientRect().top")
    assert abs(top) < 50


def test_drawers_open_by_keyboard(opened: Callable[..., Any], file: Path) -> None:
    page = opened(file)
    drawer = page.locator("details", has_text="Pixels without an answer").first
    assert not drawer.get_by_text("Pixels without an answer").is_visible()
    drawer.locator("summary").focus()
    page.keyboard.press("Space")
    assert drawer.get_by_text("Pixels without an answer").is_visible()


def test_paper_shows_all_that_is_folded_and_breaks_no_interval(opened: Callable[..., Any], file: Path) -> None:
    page = opened(file, viewport={"width": 680, "height": 900})
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.wait_for_function("[...document.querySelectorAll('.sheet img')].every(i => i.complete && i.naturalWidth)")
    assert page.locator("details:not([open])").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 680
    assert page.get_by_role("navigation").is_visible()
    texts = page.locator("td.number", has_text="[").all_text_contents()
    assert len(texts) > 40
    assert not any(", " in text.split("[")[1] for text in texts)


@pytest.mark.parametrize("width", [360, 1200])
def test_numbers_of_standings_stay_on_one_line(opened: Callable[..., Any], file: Path, width: int) -> None:
    page = opened(file, viewport={"width": width, "height": 800})
    box = page.get_by_role("cell", name="1.11 [1.00, 1.30]").bounding_box()
    assert box["height"] < 40


@pytest.mark.parametrize(("scheme", "dark"), [("light", False), ("dark", True)])
def test_the_page_follows_the_colour_scheme(opened: Callable[..., Any], file: Path, scheme: str, dark: bool) -> None:
    page = opened(file, color_scheme=scheme)
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
    assert (sum(ground[:3]) < 3 * 64) == dark


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pictures_of_verdicts_lie_on_white(opened: Callable[..., Any], file: Path, scheme: str) -> None:
    page = opened(file, color_scheme=scheme)
    card = page.get_by_role("region", name="Models over components").first
    assert card.evaluate("e => getComputedStyle(e).backgroundColor") == "rgb(255, 255, 255)"
    inks = card.locator("svg text").evaluate_all("all => all.map(e => getComputedStyle(e).fill)")
    assert len(inks) > 10
    assert all(sum(map(int, re.findall(r"\d+", ink))) < 3 * 128 for ink in inks), set(inks)


def test_a_name_in_a_picture_is_text(opened: Callable[..., Any], tmp_path: Path, stereo: Section) -> None:
    pareto = stereo.verdicts[0]
    hostile = stereo._replace(
        verdicts=(pareto._replace(standing=pareto.standing.rename(index={"sgm": EVIL})),),
        scores=stereo.scores.replace({"model": {"sgm": EVIL}}),
        figures=(),
    )
    (tmp_path / "index.html").write_text(html([hostile]), "utf-8")
    page = opened(tmp_path / "index.html")  # complains of any dialog
    assert page.locator("figure.judged svg text", has_text=EVIL).count() >= 1


@pytest.mark.parametrize("width", [360, 800, 1600])
def test_nothing_is_wider_than_the_window(opened: Callable[..., Any], file: Path, width: int) -> None:
    page = opened(file, viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_hostile_names_are_only_text(opened: Callable[..., Any], file: Path) -> None:
    page = opened(file)
    assert "<script>alert('x')</script>" in page.locator(".says + p").nth(1).inner_text()


def test_many_rows_are_drawn_a_window_at_a_time(
    opened: Callable[..., Any], huge: Callable[[int], Section], tmp_path: Path
) -> None:
    (tmp_path / "index.html").write_text(html([huge(2_400)]), "utf-8")
    page = opened(tmp_path / "index.html")
    lines = page.locator(".rows tbody tr")
    assert lines.count() == 500
    page.locator(".more").click()
    assert lines.count() == 1000
    assert page.locator(".count").inner_text() == "1,000 of 2,400 rows shown"
    head(page, "value").click()
    assert lines.count() == 500
    for _ in range(4):
        page.locator(".more").click()
    assert lines.count() == 2400
    assert page.locator(".more").is_hidden()
