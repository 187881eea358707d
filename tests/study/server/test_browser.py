"""A participant in a real browser: from the link to the code, whatever happens on the way."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from beholder.study.server.database import Full
from chromium import chromium
from study_pages import DESKTOP, PHONE, POINTS, Person, Site, site
from study_servers import SECRET

pytestmark = pytest.mark.browser
SAFE = "Your answer is safe on this device"
QUEUED = """() => new Promise((done) => {
  const asked = indexedDB.open("beholder", 1);
  asked.onsuccess = () => {
    const all = asked.result.transaction("beholder-answers").objectStore("beholder-answers").getAll();
    all.onsuccess = () => { asked.result.close(); done(all.result.map((entry) => entry.body)); };
  };
})"""
FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with site(tmp_path_factory.mktemp("study")) as found:
        yield found


@pytest.fixture
def visit(browser: Any, here: Site) -> Iterator[Callable[..., Person]]:
    """A person with a browser of their own; at the end, no page may have broken its own rules."""
    complaints: list[str] = []
    contexts = []
    here.posts.clear()

    def at(study: str = "gaze", **how: Any) -> Person:
        context = browser.new_context(**(how or DESKTOP))
        context.set_default_timeout(30_000)
        context.on("weberror", lambda fault: complaints.append(str(fault.error)))
        context.on("console", lambda said: complaints.append(said.text) if "Content Security" in said.text else None)
        contexts.append(context)
        return Person(context.new_page(), here, study, thumb="is_mobile" in how)

    yield at
    for context in contexts:
        context.close()
    assert complaints == []


def all_frames(answer: dict[str, Any], films: int = 1) -> bool:
    """Whether all frames of the films were drawn or dropped; a busy browser may not count the last one of each."""
    return films * (POINTS - 1) <= answer["frames"] + answer["dropped"] <= films * POINTS


@pytest.mark.parametrize("how", [DESKTOP, PHONE | {"color_scheme": "dark"}], ids=["desktop", "phone"])
def test_from_the_link_to_the_code(visit: Callable[..., Person], here: Site, how: dict[str, Any]) -> None:
    person = visit(**how)
    page = person.page
    page.goto(f"{person.base}/")
    for name in ("Begin", "I agree to take part"):
        page.get_by_role("button", name=name).wait_for()
        assert page.evaluate(FITS)
        person.press(name)
    page.get_by_label("4", exact=True).check()
    page.get_by_label("Age").fill("33")
    assert page.evaluate(FITS)
    person.press("Continue")
    person.show_screen()
    page.get_by_role("heading", name="What you will do").wait_for()
    assert page.evaluate(FITS)
    assert page.get_by_text("With a keyboard").is_visible() == ("is_mobile" not in how)
    person.press("Begin the practice")
    page.get_by_text("Practice · 1 of 1").wait_for()
    person.answer("y")
    page.get_by_text("Right.", exact=True).wait_for()
    person.press("Begin")
    for number in range(1, 5):
        person.ready(f"{number} of 4")
        assert page.evaluate(FITS)
        person.answer("y")
    page.get_by_label("Your comment").fill("It was fun.")
    person.press("Continue")
    page.get_by_text("DONE-17").wait_for()
    assert page.evaluate(FITS)
    assert page.get_by_text("2 of 4").is_visible()
    assert page.get_by_role("link", name="Finish and go back").get_attribute("href").endswith("?cc=DONE-17")
    person.press("Copy")
    page.get_by_text("Copied.").wait_for()
    _check_what_is_kept(here, how)


def _check_what_is_kept(here: Site, how: dict[str, Any]) -> None:
    session, answers = here.session(), here.answers()
    assert session["outcome"] == "complete"
    assert session["comment"] == "It was fun."
    assert session["kind"] == ""
    assert session["device"]["width"] == how["viewport"]["width"]
    assert session["device"]["kind"] == ("phone" if "is_mobile" in how else "desktop")
    assert session["device"]["fps"] > 10
    assert len(here.posts) == len(answers) == 5
    assert all(all_frames(answer) for answer in answers)
    assert all(0 < answer["seconds"] < 10 for answer in answers)
    assert all(answer["replays"] == answer["hidden"] == 0 for answer in answers)


def test_answers_wait_for_the_end_and_replays_count(visit: Callable[..., Person], here: Site) -> None:
    person = visit()
    person.seat()
    page = person.page
    page.keyboard.press("y")
    assert page.locator("input:checked").count() == 0
    playing = page.evaluate("""() => {
      document.querySelector(".play").click();
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true })); // nothing starts anew
      return document.querySelectorAll(".show.on, fieldset:disabled").length;
    }""")
    assert playing == 2
    page.locator(".shows.over").wait_for()
    page.keyboard.press("n")
    person.watch()
    assert page.locator("input:checked").get_attribute("value") == "no"
    page.reload()  # a visit that begins anew is not a way to look unseen
    person.ready()
    person.watch()
    person.choose("y")
    person.confirm()
    person.ready("2 of 4")
    _, answer = here.answers()
    assert answer["values"] == {"human": "yes"}
    assert answer["replays"] == 2
    assert all_frames(answer, films=3)


def test_an_answer_that_the_server_finds_too_early_is_sent_again(
    visit: Callable[..., Person], here: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = visit()
    person.seat()
    person.answer("y")
    person.ready("2 of 4")
    monkeypatch.setitem(here.store._lengths, "gaze", dict.fromkeys(here.store._lengths["gaze"], 2.5))
    person.answer("n")
    person.told("Please watch to the end")
    person.ready("3 of 4")
    assert [answer["values"]["human"] for answer in here.answers()] == ["yes", "yes", "no"]
    assert len({json.loads(post)["key"] for post in here.posts}) == 2


def test_what_is_shown_next_is_loaded_before(visit: Callable[..., Person], here: Site) -> None:
    person = visit()
    asked: list[str] = []
    person.page.on("request", lambda request: asked.append(request.url) if "/media/" in request.url else None)
    person.seat()
    person.wait(lambda: len(set(asked)) == 2)
    person.answer("y")
    person.ready("2 of 4")
    person.wait(lambda: len(set(asked)) == 3)


def test_an_answer_before_the_end_ends_the_clip(visit: Callable[..., Person], here: Site) -> None:
    person = visit("ratings")
    person.seat()
    person.page.evaluate("""() => {
      document.querySelector(".play").click();
      for (const name of ["q0", "q1"]) document.querySelector(`input[name=${name}]`).click();
      document.querySelector("#answer").requestSubmit();
    }""")
    person.ready("2 of 2")
    person.page.wait_for_timeout(500)  # longer than the clip: it would have come to its end by now
    assert person.page.locator("#said").inner_text() == ""
    assert person.page.locator(".shows.over").count() == 0
    assert len(here.answers("ratings")) == 1


@pytest.mark.parametrize("how", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_who_wants_to_stop_sees_how(visit: Callable[..., Person], here: Site, how: dict[str, Any]) -> None:
    person = visit(**how)
    page = person.page
    page.goto(f"{person.base}/")
    person.press("Begin")
    for agree in (True, False):
        page.get_by_text("Stop taking part", exact=True).click()
        page.wait_for_function("document.activeElement?.closest('.leave') !== null")
        box = page.get_by_role("button", name="Stop taking part and delete my answers").bounding_box()
        assert box is not None
        assert 0 <= box["y"] <= page.evaluate("innerHeight") - box["height"]
        if agree:
            person.press("I agree to take part")
            page.get_by_role("heading", name="About you").wait_for()
    person.press("Stop taking part and delete my answers")
    page.get_by_text("You have stopped taking part").wait_for()
    assert here.session()["outcome"] == "withdrawn"


def test_who_looks_away_plays_it_again(visit: Callable[..., Person], here: Site) -> None:
    person = visit()
    person.seat()
    page = person.page
    page.evaluate("""() => {
      document.querySelector(".play").click();
      Object.defineProperty(document, "hidden", { value: true, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
      Object.defineProperty(document, "hidden", { value: false, configurable: true });
    }""")
    page.get_by_text("You left the page while it played.").wait_for()
    assert page.locator("fieldset:disabled").count() == 1
    person.answer("y")
    person.ready("2 of 4")
    _, answer = here.answers()
    assert (answer["hidden"], answer["replays"]) == (1, 0)
    assert all_frames(answer)


def test_reload_goes_on_where_it_was(visit: Callable[..., Person], here: Site) -> None:
    person = visit()
    person.seat()
    person.answer("y")
    person.ready("2 of 4")
    person.watch()
    person.choose("n")
    person.page.reload()
    person.ready("2 of 4")
    assert len(here.answers()) == 2
    person.answer("n")
    person.ready("3 of 4")
    assert [answer["values"]["human"] for answer in here.answers()] == ["yes", "yes", "no"]


def test_network_is_cut_and_comes_back(visit: Callable[..., Person], here: Site) -> None:
    person = visit()
    person.seat()
    person.watch()
    person.choose("n")
    person.page.context.set_offline(True)
    person.confirm()
    person.told(SAFE)
    (waiting,) = person.page.evaluate(QUEUED)
    assert waiting["values"] == {"human": "no"}
    assert len(here.answers()) == 1
    person.page.context.set_offline(False)
    person.ready("2 of 4")
    assert person.notice == ""
    assert [json.loads(post)["key"] for post in here.posts] == [waiting["key"]]
    assert len(here.answers()) == 2
    assert person.page.evaluate(QUEUED) == []


def test_reply_is_lost_and_the_answer_is_stored_once(visit: Callable[..., Person], here: Site) -> None:
    person = visit()
    person.seat()
    lost: list[int] = []

    def lose(route: Any) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route.fetch().status)
            route.abort()

    person.page.route("**/api/answer", lose)
    person.answer("n")
    person.ready("2 of 4")
    assert lost == [200]
    first, second = here.posts
    assert first == second
    assert [answer["values"]["human"] for answer in here.answers()] == ["yes", "no"]


@pytest.mark.parametrize("shelf", ["IndexedDB", "localStorage"])
def test_tab_is_closed_before_the_answer_is_sent(visit: Callable[..., Person], here: Site, shelf: str) -> None:
    person = visit()
    if shelf == "localStorage":  # some browsers' private windows
        person.page.context.add_init_script("indexedDB.open = () => { throw new Error('not allowed'); };")
    person.seat()
    person.watch()
    person.choose("n")
    person.page.context.set_offline(True)
    person.confirm()
    person.told(SAFE)
    context = person.page.context
    person.page.close()
    context.set_offline(False)
    assert len(here.answers()) == 1
    later = Person(context.new_page(), here)
    later.page.goto(f"{later.base}/go")
    later.ready("2 of 4")
    assert [answer["values"]["human"] for answer in here.answers()] == ["yes", "no"]


def test_another_address_with_the_same_cookie(visit: Callable[..., Person], here: Site) -> None:
    person = visit()
    person.seat()
    person.page.context.set_extra_http_headers({"X-Forwarded-For": "203.0.113.7"})  # from the train to the office
    person.answer("n")
    person.ready("2 of 4")
    assert len(here.answers()) == 2


def test_back_button_is_harmless(visit: Callable[..., Person], here: Site) -> None:
    person = visit("ratings")
    page = person.page
    page.goto(f"{person.base}/")
    person.press("Begin")
    person.press("I agree to take part")
    page.get_by_role("heading", name="Your screen").wait_for()
    page.go_back()
    person.show_screen()
    person.press("Begin")
    person.answer("1", "2")
    person.ready("2 of 2")
    page.go_back()
    person.ready("2 of 2")
    person.answer("3", "4")
    page.get_by_text("DONE-17").wait_for()
    page.go_back()
    page.get_by_text("DONE-17").wait_for()
    assert [answer["values"] for answer in here.answers("ratings")] == [
        {"smooth": "1", "whole": "2"},
        {"smooth": "3", "whole": "4"},
    ]
    assert len(here.posts) == 2


def test_second_tab_says_so_and_either_goes_on(visit: Callable[..., Person], here: Site) -> None:
    first = visit()
    first.seat()
    second = Person(first.page.context.new_page(), here)
    second.page.goto(f"{second.base}/go")
    elsewhere = "The study is open in another tab"
    second.page.get_by_text(elsewhere).wait_for()
    assert first.page.get_by_text(elsewhere).count() == 0
    second.press("Continue here")
    first.page.get_by_text(elsewhere).wait_for()
    second.answer("n")
    second.ready("2 of 4")
    first.page.bring_to_front()
    first.press("Continue here")
    first.ready("2 of 4")
    assert len(here.posts) == 1
    assert len(here.answers()) == 2


def test_two_tabs_that_do_not_know_of_each_other(visit: Callable[..., Person], here: Site) -> None:
    first = visit()
    first.page.context.add_init_script("delete window.BroadcastChannel;")
    first.seat()
    second = Person(first.page.context.new_page(), here)
    second.page.goto(f"{second.base}/go")
    second.answer("n")
    second.ready("2 of 4")
    first.page.bring_to_front()
    first.answer("y")  # to the trial that the other tab has answered
    first.ready("2 of 4")
    assert [answer["values"]["human"] for answer in here.answers()] == ["yes", "no"]
    assert first.page.evaluate(QUEUED) == []


def test_no_code_before_the_last_answer_is_stored(
    visit: Callable[..., Person], here: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = visit("ratings")
    person.seat()
    person.answer("1", "1")
    person.ready("2 of 2")

    def full(*_: Any) -> Any:
        raise Full("no space left on the device")

    with monkeypatch.context() as disk:
        disk.setattr(here.store, "_answer", full)
        person.answer("5", "5")
        person.told(SAFE)
        for path in ("done", "go"):
            early = person.page.context.request.get(f"{person.base}/{path}")
            assert early.url.endswith("/go")
            assert "DONE-17" not in early.text()
        assert len(here.answers("ratings")) == 1
        assert here.session("ratings")["outcome"] == ""
        assert person.page.url.endswith("/go")
    person.page.get_by_text("DONE-17").wait_for()
    assert person.page.url.endswith("/done")
    assert len(here.answers("ratings")) == 2
    assert len({json.loads(post)["key"] for post in here.posts}) == 2


@pytest.mark.parametrize("how", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_two_clips_play_one_after_the_other(visit: Callable[..., Person], here: Site, how: dict[str, Any]) -> None:
    person = visit("pairs", reduced_motion="reduce", **how)
    person.seat()
    page = person.page
    page.evaluate("""() => {
      window.seen = [];
      new MutationObserver(() => {
        const on = [...document.querySelectorAll(".show")].map((show) => show.matches(".on") ? 1 : 0).join("");
        if (window.seen.at(-1) !== on) window.seen.push(on);
      }).observe(document.querySelector("#shows"), { subtree: true, attributeFilter: ["class"] });
    }""")
    person.watch()
    assert [on for on in page.evaluate("window.seen") if on != "00"] == ["10", "01"]
    assert page.locator("figcaption").all_inner_texts() == ["A", "B"] or "is_mobile" in how
    person.choose("2")
    person.confirm()
    person.ready("2 of 2")
    (answer,) = here.answers("pairs")
    assert answer["values"] == {"human": "second"}
    assert all_frames(answer, films=2)


def test_in_mturks_frame_no_cookie_is_needed(visit: Callable[..., Person], here: Site) -> None:
    person = visit("turk")
    page = person.page
    ids = "workerId=W1&hitId=H1&turkSubmitTo=https://workersandbox.mturk.com&assignmentId"
    page.goto(f"{person.base}/?{ids}=ASSIGNMENT_ID_NOT_AVAILABLE")
    page.get_by_text("Accept the task to begin").wait_for()
    assert page.get_by_role("button").count() == 0
    page.goto(f"{person.base}/?{ids}=A1")
    person.press("Begin")
    person.press("I agree to take part")
    person.show_screen()
    person.press("Begin")
    person.answer("1", "2")
    submit = page.locator("form[action='https://workersandbox.mturk.com/mturk/externalSubmit']")
    submit.wait_for()
    assert submit.locator("[name=assignmentId]").input_value() == "A1"
    assert "DONE-17" in page.locator("#code").inner_text()
    assert [cookie["name"] for cookie in page.context.cookies() if cookie["name"] == "beholder_session"] == []
    assert len(here.answers("turk")) == 1


def test_page_for_those_who_run_it(visit: Callable[..., Person], here: Site) -> None:
    person = visit("pairs")
    person.seat()
    person.answer("1")
    person.ready("2 of 2")
    session = here.session("pairs")["id"]
    page = person.page
    page.goto(f"{here.address}/admin")
    page.get_by_label("Admin secret").fill("wrong")
    person.press("Sign in")
    page.get_by_role("alert").wait_for()
    page.get_by_label("Admin secret").fill(SECRET)
    person.press("Sign in")
    page.locator("a[href='/admin/pairs/status']").press("Enter")
    page.get_by_role("heading", name="How often items were shown").wait_for()
    change = page.locator(f"summary[aria-label='Change {session[:8]}']")
    change.press("Enter")
    person.press(f"Reject {session[:8]}")
    person.wait(lambda: here.session("pairs")["outcome"] == "rejected")
    page.get_by_role("cell", name="rejected").first.wait_for()
    change.press("Enter")
    person.press(f"Delete {session[:8]} for good")
    person.wait(lambda: session not in {row["id"] for row in here.store.tables("pairs")["sessions"]})


def test_on_a_phone_no_title_is_cut_and_wide_tables_say_that_they_move(
    visit: Callable[..., Person], here: Site
) -> None:
    person = visit(**PHONE)
    person.seat()
    page = person.page
    name = page.locator(".name span")
    name.evaluate("(span) => { span.textContent = 'Who looked there: a person or a computer?' }")
    assert name.evaluate(
        "(span) => span.scrollWidth <= span.clientWidth && getComputedStyle(span).whiteSpace === 'normal'"
    )
    assert page.evaluate(FITS)
    page.goto(f"{here.address}/admin")
    page.get_by_label("Admin secret").fill(SECRET)
    person.press("Sign in")
    page.get_by_role("heading", name="Studies on this server").wait_for()
    page.goto(f"{here.address}/admin/gaze/status")
    assert page.evaluate(FITS)
    assert page.locator(".scroll").first.evaluate("(table) => table.scrollWidth > table.clientWidth")
    assert page.get_by_text("Scroll sideways").first.is_visible()
