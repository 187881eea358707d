"""The pages in a real browser, opened from disk."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from beholder.core.scores import plain
from beholder.evaluation.sections import Section
from beholder.reports.html import html, write_pages

pytestmark = pytest.mark.browser
EVIL = "<script>alert('x')</script>"
DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48"><rect width="64" height="48"/></svg>'
Opened = Callable[..., Any]


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory, stereo: Section, saliency: Section) -> Path:
    """The front page of two benchmarks, with their pages and pictures beside it."""
    folder = tmp_path_factory.mktemp("a report")
    for name in (*stereo.figures, *saliency.figures):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(DRAWING)
    return write_pages([stereo, saliency], folder / "report.html").page


@pytest.fixture(scope="module")
def file(front: Path) -> Path:
    """The page of the first benchmark."""
    return front.parent / "report" / "stereo_dense.html"


@pytest.fixture(scope="module")
def single(front: Path, stereo: Section, saliency: Section, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both in one file, which then was mailed to another folder."""
    made = write_pages([stereo, saliency], front.parent / "single.html", single=True).page
    return Path(shutil.move(made, tmp_path_factory.mktemp("elsewhere")))


def rows(page: Any) -> Any:
    """The table of all rows, drawn when somebody comes near."""
    box = page.locator("section.rows:visible").first
    box.scroll_into_view_if_needed()
    box.locator("thead button").first.wait_for()
    return box


def column(page: Any, name: str) -> list[str]:
    """The texts of a column, of the rows that are drawn."""
    box = rows(page)
    names = box.locator("thead button").all_inner_texts()
    return list(box.locator(f"tbody tr:not(.gap) td:nth-child({names.index(name) + 1})").all_inner_texts())


def head(page: Any, name: str) -> Any:
    return rows(page).get_by_role("button", name=name, exact=True)


def seen(page: Any, count: str) -> None:
    page.wait_for_function(f"document.querySelector('section.rows .count').textContent === '{count}'")


def test_a_click_sorts_all_rows_up_and_down_with_the_missing_last(opened: Opened, file: Path, stereo: Section) -> None:
    page = opened(file)
    expected = sorted(stereo.scores["value"].dropna())
    head(page, "value").click()
    up = [float(text) for text in column(page, "value")]
    assert up == pytest.approx(expected[: len(up)], rel=1e-5)
    assert len(up) > 20
    page.locator("section.rows .window").evaluate("e => { e.scrollTop = e.scrollHeight; }")
    page.wait_for_function("[...document.querySelectorAll('section.rows tbody tr')].at(-1).cells.length > 3")
    assert column(page, "value")[-6:] == ["—"] * 6
    head(page, "value").click()
    down = column(page, "value")
    assert [float(text) for text in down] == pytest.approx(expected[::-1][: len(down)], rel=1e-5)
    head(page, "model").click()
    assert column(page, "model") == sorted(stereo.scores["model"])[: len(down)]


def test_the_keyboard_sorts_too(opened: Opened, file: Path) -> None:
    page = opened(file)
    head(page, "unit").focus()
    page.keyboard.press("Enter")
    units = column(page, "unit")
    assert units[0] == "*"
    assert units == sorted(units)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "measure"


def test_the_filter_keeps_rows_with_all_words_and_their_order(opened: Opened, file: Path, stereo: Section) -> None:
    page, size = opened(file), len(stereo.scores)
    head(page, "value").click()
    words = page.locator("section.rows input")
    words.fill("TEDDY sgm")
    seen(page, f"3 of {size} rows")
    assert set(column(page, "model")) == {"sgm"}
    words.fill("no such thing")
    seen(page, f"0 of {size} rows")
    words.fill("census")
    seen(page, f"29 of {size} rows")
    values = [float(text) for text in column(page, "value")]
    assert values == sorted(values)


def test_many_rows_are_drawn_only_where_they_are_in_sight(
    opened: Opened, huge: Callable[[int], Section], tmp_path: Path
) -> None:
    page = opened(write_pages([huge(2_400)], tmp_path / "report.html").page)
    rows(page)
    assert page.locator("section.rows .count").inner_text() == "2,400 of 2,400 rows"
    assert page.locator("section.rows tbody tr").count() < 100
    page.locator("section.rows .window").evaluate("e => { e.scrollTop = e.scrollHeight; }")
    page.wait_for_function(
        "[...document.querySelectorAll('section.rows tbody tr')].at(-1).textContent.includes('noise')"
    )
    assert page.locator("section.rows tbody tr").count() < 100


def names_of(page: Any) -> list[str]:
    return [str(text).split()[0] for text in page.locator(".dots tbody.models th").all_inner_texts()]


def test_scores_sort_by_any_measure_and_find_a_model(opened: Opened, file: Path) -> None:
    page = opened(file)
    assert names_of(page) == ["sgm", "census", "block", "broken"]
    measure = page.locator(".dots thead th.plot button").first
    measure.click()  # lower is better: the best first
    values = page.locator(".dots tbody.models td.plot:nth-of-type(1)").evaluate_all(
        "all => all.map(e => Number(e.dataset.v))"
    )
    assert values == sorted(values)
    measure.click()
    assert names_of(page)[0] == "broken"
    assert page.locator("th[aria-sort=descending]").count() == 1
    page.locator(".dots thead th.name button").click()
    assert names_of(page) == ["block", "broken", "census", "sgm"]


def test_intervals_and_counts_are_spelt_out_when_asked_for(opened: Opened, file: Path) -> None:
    page = opened(file)
    cell = page.locator(".dots tbody.models td.plot").first
    assert re.fullmatch(r"sgm: [\d.]+ \[[\d.]+, [\d.]+\]", cell.get_attribute("title"))
    assert not cell.locator(".iv").is_visible()
    page.get_by_label("Show every interval and n").check()
    assert re.fullmatch(r"\[[\d.]+, [\d.]+\] n 9/9", cell.locator(".iv").inner_text())


def test_any_pair_can_be_chosen(opened: Opened, file: Path) -> None:
    page = opened(file)
    page.locator("section.pairs").scroll_into_view_if_needed()
    said = page.locator(".pair .said")
    said.wait_for()
    assert page.locator("section.pairs .one option:checked").inner_text() == "sgm (yours)"
    page.locator("section.pairs .one").select_option(label="census")
    page.locator("section.pairs .two").select_option(label="flat (blind)")
    assert said.inner_text() == "census beats flat on 3 of 3 measures, all significantly (Holm, 9 units)."
    assert page.locator(".pair tbody tr").count() == 3
    assert page.locator(".pair .twins figure img").count() == 0  # no sample of these was drawn
    assert "census ahead" in page.locator(".pair ul").inner_text()
    page.locator("section.pairs .one").select_option(label="flat (blind)")
    assert "two different models" in page.locator(".pair").inner_text()


def test_a_pair_stands_in_the_order_in_which_it_was_chosen(opened: Opened, file: Path, stereo: Section) -> None:
    page = opened(file)
    page.locator("section.pairs").scroll_into_view_if_needed()
    page.locator(".pair .said").wait_for()
    page.locator("section.pairs .one").select_option(label="flat (blind)")
    page.locator("section.pairs .two").select_option(label="census")
    heads = page.locator(".pair thead th").all_inner_texts()
    assert heads[1:4] == ["flat", "census", "difference, + favours flat"]
    assert heads[5] == "won by flat"
    means = stereo.scores[stereo.scores["criterion"] == "nonocc"].groupby("model")["value"].mean()
    cells = [
        float(re.split(r"[ %]", text)[0])
        for text in page.locator(".pair tbody tr").first.locator("td").all_inner_texts()
    ]
    flat, census, difference, _, won = cells[:5]
    assert (flat, census) == pytest.approx((means["flat"], means["census"]), abs=0.06)
    assert difference == pytest.approx(census - flat, abs=0.15)  # lower is better: flat is far behind
    assert won == 0
    assert page.locator(".pair .said").inner_text().startswith("census beats flat on 3 of 3 measures")
    first = page.locator(".pair ul li").first.inner_text()
    assert re.search(r"bad_pixels\S* \w+: flat [\d.]+, census [\d.]+ \(-[\d.]+\); census ahead", first)


def test_from_the_front_page_to_a_benchmark_and_back(opened: Opened, front: Path) -> None:
    page = opened(front)
    assert page.locator(".card").count() == 2
    page.locator(".matrix th a", has_text="attention/saliency").click()
    page.wait_for_url("**/report/attention_saliency.html")
    page.get_by_role("link", name="← all benchmarks").click()
    page.wait_for_url("**/report.html")


def test_a_mailed_file_has_its_pictures_and_shows_one_part_at_a_time(opened: Opened, single: Path) -> None:
    page = opened(single)
    assert list(single.parent.iterdir()) == [single]
    parts = page.locator("main > .front, main > .benchmark")
    assert [part.is_visible() for part in parts.all()] == [True, False, False]
    page.locator(".card", has_text="stereo/dense").click()
    assert [part.is_visible() for part in parts.all()] == [False, True, False]
    shown = "[...document.images].filter(i => i.getAttribute('src')).every(i => i.src.startsWith('data:'))"
    assert page.evaluate(shown)
    page.wait_for_function("[...document.querySelectorAll('#b1 img')].some(i => i.complete && i.naturalWidth === 64)")
    assert column(page, "model")[0] == "sgm"
    assert page.locator("a[href^='data:']").count() == 0  # browsers do not follow such
    page.get_by_role("link", name="← all benchmarks").first.click()
    parts.first.wait_for()


def test_links_on_a_page_lead_where_they_say(opened: Opened, file: Path) -> None:
    page = opened(file)
    targets = page.locator("nav.bar a[href^='#']").evaluate_all("all => all.map(e => e.getAttribute('href').slice(1))")
    assert len(targets) >= 6
    assert page.evaluate("ids => ids.every(id => document.getElementById(id))", targets)


def test_folded_text_opens_by_keyboard(opened: Opened, file: Path) -> None:
    page = opened(file)
    drawer = page.locator("details", has_text="Pixels without an answer").first
    assert not drawer.get_by_text("Pixels without an answer").is_visible()
    drawer.locator("summary").focus()
    page.keyboard.press("Space")
    assert drawer.get_by_text("Pixels without an answer").is_visible()


def test_paper_shows_all_that_is_folded_and_breaks_no_interval(opened: Opened, file: Path) -> None:
    page = opened(file, viewport={"width": 680, "height": 900})
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 680
    assert page.locator(".dots .iv").first.is_visible()
    texts = page.locator("td.number", has_text="[").all_text_contents()
    assert len(texts) >= 3
    assert not any(", " in text.split("[")[1] for text in texts)


@pytest.mark.parametrize(("scheme", "dark"), [("light", False), ("dark", True)])
def test_the_page_follows_the_colour_scheme(opened: Opened, file: Path, scheme: str, dark: bool) -> None:
    page = opened(file, color_scheme=scheme)
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
    assert (sum(ground[:3]) < 3 * 64) == dark
    card = page.get_by_role("region", name="Models over components").first
    assert card.evaluate("e => getComputedStyle(e).backgroundColor") == "rgb(255, 255, 255)"
    inks = card.locator("svg text").evaluate_all("all => all.map(e => getComputedStyle(e).fill)")
    assert len(inks) > 10
    assert all(sum(map(int, re.findall(r"\d+", ink))) < 3 * 128 for ink in inks), set(inks)


def test_a_name_in_a_picture_is_text(opened: Opened, tmp_path: Path, stereo: Section) -> None:
    pareto = stereo.verdicts[0]
    hostile = stereo._replace(
        verdicts=(pareto._replace(standing=pareto.standing.rename(index={"sgm": EVIL})),),
        scores=plain(stereo.scores).replace({"model": {"sgm": EVIL}}),
        figures=(),
    )
    (tmp_path / "index.html").write_text(html([hostile]), "utf-8")
    page = opened(tmp_path / "index.html")  # complains of any dialog
    assert page.locator("figure.judged svg text", has_text=EVIL).count() >= 1
    page.locator("section.pairs").scroll_into_view_if_needed()
    page.locator(".pair .said", has_text=EVIL).wait_for()
    assert EVIL in column(page, "model")


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_window_and_no_name_is_broken(
    opened: Opened, front: Path, file: Path, width: int
) -> None:
    for one in (front, file, file.with_name("attention_saliency.html")):
        page = opened(one, viewport={"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, one
        heights = page.locator("tbody th.name").evaluate_all("all => all.map(e => e.getClientRects()[0]?.height || 0)")
        assert max(heights, default=0) < 40, one


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(opened: Opened, front: Path, file: Path, scheme: str) -> None:
    axe = Path(os.environ.get("AXE_CORE", "node_modules/axe-core"), "axe.min.js")
    if not axe.is_file():
        pytest.skip("axe-core is not here: npm install axe-core elsewhere, and AXE_CORE=ITS/FOLDER")
    for one in (front, file, file.with_name("attention_saliency.html")):
        page = opened(one, color_scheme=scheme)
        page.locator("section.pairs, .cards").first.scroll_into_view_if_needed()
        page.add_script_tag(path=str(axe))
        found = page.evaluate("axe.run()")["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in found] == [], one
