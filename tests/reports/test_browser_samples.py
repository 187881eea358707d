"""The viewer of samples in a real browser, opened from disk: keys, orders, choosing models, movies that play."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from beholder.core.film import Film
from beholder.core.views import View, Views
from beholder.evaluation.sections import Section
from beholder.evaluation.views import write_views
from beholder.io.drawing import svg
from beholder.reports.html import html

pytestmark = pytest.mark.browser
PLACE = "figures/stereo_dense/scenes"
SHOWN = ("cones", "motorcycle", "teddy", "venus")


def film() -> Film:
    frames = np.zeros((10, 48, 64, 3), np.uint8)
    for at, frame in enumerate(frames):
        frame[20:30, 5 * at : 5 * at + 10] = 255
    return Film([(at / 10, frame) for at, frame in enumerate(frames)], 1.0)


def views(level: int) -> Views:
    picture = np.full((60, 80, 3), level, np.uint8)
    line = svg((60, 80), '<line x1="0" y1="0" x2="80" y2="60" stroke="red"/>')
    shared = (View("picture", picture, "what was shown"), View("movie", film(), "what moved", "it plays"))
    own = {
        name: (View("answer", line, "its path", "red: the path", over="picture"), View("error", picture, "how far off"))
        for name in ("sgm", "block", "census")
    }
    return Views(shared, own)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory, stereo: Section) -> Path:
    """Four samples with views, and one of which there is only the sheet."""
    folder = tmp_path_factory.mktemp("a report")
    (folder / PLACE).mkdir(parents=True)
    drawn = {}
    for at, scene in enumerate((*SHOWN, "tsukuba")):
        sheet = folder / PLACE / f"{scene}.webp"
        Image.fromarray(np.full((90, 120, 3), 40 * at, np.uint8)).save(sheet)
        if scene in SHOWN:
            drawn[f"{PLACE}/{scene}"] = {"id": scene, "views": write_views(views(50 * at), sheet)}
    figures = tuple(f"{PLACE}/{scene}.webp" for scene in (*SHOWN, "tsukuba"))
    section = stereo._replace(figures=figures, drawn=drawn)
    (folder / "index.html").write_text(html([section]), "utf-8")
    return folder / "index.html"


def first(page: Any) -> Any:
    return page.locator(".samples").first


def where(page: Any) -> str:
    return str(first(page).get_by_role("status").first.inner_text())


def expected(stereo: Section, key: Callable[[Any], float]) -> list[str]:
    """The samples in the order of a number that is taken of their scores, by model."""
    rows = stereo.scores.query("measure == 'bad_pixels' and criterion == 'nonocc' and state == 'ok'")
    tables = {scene: rows[rows["unit"] == scene].set_index("model")["value"] for scene in (*SHOWN, "tsukuba")}
    return sorted(tables, key=lambda scene: -key(tables[scene]))


def thumbs(page: Any) -> list[str]:
    return [str(text) for text in first(page).locator(".thumbs a").all_inner_texts()]


def test_keys_lead_through_the_samples(opened: Callable[..., Any], file: Path) -> None:
    page = opened(file)
    first(page).get_by_role("button", name="next sample").focus()
    order = thumbs(page)
    assert where(page) == f"1 of 5: {order[0]}"
    page.keyboard.press("ArrowRight")
    assert where(page) == f"2 of 5: {order[1]}"
    for key, name in (("End", order[-1]), ("ArrowRight", order[-1]), ("Home", order[0]), ("ArrowLeft", order[0])):
        page.keyboard.press(key)
        assert where(page).endswith(name)
    current = first(page).locator(".thumbs [aria-current]")
    current.focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.title") == order[1]  # the focus goes along


def test_samples_are_sorted_by_what_is_worth_a_look(opened: Callable[..., Any], file: Path, stereo: Section) -> None:
    page = opened(file)
    judged = ["sgm", "block", "census", "broken"]
    assert thumbs(page) == expected(stereo, lambda own: float(own[own.index.isin(judged)].std(ddof=0)))
    order = first(page).get_by_label("Order")
    order.select_option(label="worst for sgm")
    assert thumbs(page) == expected(stereo, lambda own: float(own["sgm"]))
    order.select_option(label="sgm and census differ most")
    assert thumbs(page) == expected(stereo, lambda own: float(abs(own["sgm"] - own["census"])))
    order.select_option(label="by id")
    assert thumbs(page) == sorted(thumbs(page))


def test_any_two_models_can_be_chosen(opened: Callable[..., Any], file: Path, stereo: Section) -> None:
    page = opened(file)
    one, other = (first(page).locator(".right > .one").nth(at) for at in (0, 1))
    assert one.get_by_role("img", name="sgm: its path").count() == 1
    one.get_by_role("combobox").select_option(label="block")
    assert one.get_by_role("img", name="block: its path").count() == 1
    assert one.evaluate("e => e.classList.contains('mine')")
    other.get_by_role("combobox").select_option(label="block")  # they change places
    assert one.get_by_role("combobox").evaluate("s => s.selectedOptions[0].text") == "census"
    first(page).locator(".scores").get_by_role("button", name="sgm").click()
    assert one.get_by_role("img", name="sgm: its path").count() == 1
    scene = where(page).split(": ")[1]
    rows = stereo.scores.query(f"unit == '{scene}' and criterion == 'nonocc' and model == 'sgm'")
    shown = float(one.locator(".score").inner_text().split()[-1])
    assert shown == pytest.approx(rows["value"].iloc[0], abs=0.05)


def test_the_page_may_ask_for_a_pair(opened: Callable[..., Any], file: Path) -> None:
    page = opened(file)
    ask = "detail => document.querySelector('.samples').dispatchEvent(new CustomEvent('choose', { detail }))"
    page.evaluate(ask, {"a": "census", "b": "block", "order": "differ"})
    assert first(page).get_by_label("Order").evaluate("s => s.selectedOptions[0].text") == (
        "census and block differ most"
    )


def test_movies_play_while_they_are_seen(opened: Callable[..., Any], file: Path) -> None:
    page = opened(file, viewport={"width": 1280, "height": 600})
    page.evaluate("document.querySelector('.samples video').scrollIntoView()")
    page.wait_for_function("(v => !v.paused && v.currentTime > 0.2)(document.querySelector('.samples video'))")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.wait_for_function("document.querySelector('.samples video').paused")
    page.evaluate("document.querySelector('.samples video').scrollIntoView()")
    page.wait_for_function("!document.querySelector('.samples video').paused")
    first(page).get_by_role("button", name="Pause").click()
    page.wait_for_function("document.querySelector('.samples video').paused")


def test_nothing_moves_for_who_wants_no_motion(opened: Callable[..., Any], file: Path) -> None:
    page = opened(file, reduced_motion="reduce")
    page.evaluate("document.querySelector('.samples video').scrollIntoView()")
    page.wait_for_timeout(300)
    assert page.evaluate("document.querySelector('.samples video').paused")


def test_a_picture_is_enlarged_and_closed_by_keys(opened: Callable[..., Any], file: Path) -> None:
    page = opened(file)
    picture = first(page).locator(".zoom").nth(1)
    picture.focus()
    page.keyboard.press("Enter")
    dialog = first(page).get_by_role("dialog")
    assert dialog.locator("img").count() > 0
    before = where(page)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    assert not dialog.is_visible()
    assert where(page) == before


def test_what_has_only_a_sheet_shows_it(opened: Callable[..., Any], file: Path) -> None:
    page = opened(file)
    first(page).locator(".thumbs a", has_text="tsukuba").click()
    sheet = first(page).locator(".sheet img")
    page.wait_for_function("i => i.complete && i.naturalWidth === 120", arg=sheet.element_handle())
    assert sheet.is_visible()
    assert first(page).get_by_role("button", name="Side by side").is_disabled()
    first(page).locator(".thumbs a", has_text="venus").click()
    assert not sheet.is_visible()
    first(page).get_by_role("button", name="All models").click()
    assert sheet.is_visible()
    assert not first(page).locator(".zoom").first.is_visible()


def test_paper_shows_the_sheet(opened: Callable[..., Any], file: Path) -> None:
    page = opened(file)
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    sheet = first(page).locator(".sheet img")
    page.wait_for_function("i => i.complete && i.naturalWidth === 120", arg=sheet.element_handle())
    assert sheet.is_visible()
    assert not first(page).locator(".bar").is_visible()


@pytest.mark.parametrize("width", [390, 1280])
def test_it_fits_the_window(opened: Callable[..., Any], file: Path, width: int) -> None:
    page = opened(file, viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    first(page).get_by_role("button", name="All models").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_without_a_script_there_are_links_to_the_sheets(browser: Any, file: Path) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(file.as_uri())
    links = first(page).locator(".thumbs a")
    assert links.count() == 5
    assert links.first.is_visible()
    assert not first(page).locator(".bar").is_visible()
    page.context.close()
