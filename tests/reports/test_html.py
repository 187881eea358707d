"""The page as text: self-contained, escaped, well-formed, accessible."""

import json
import math
import re
from collections.abc import Callable
from html.parser import HTMLParser
from importlib import resources

import numpy as np
import pytest

from beholder.core.verdict import Note
from beholder.evaluation.sections import Section
from beholder.reports import _notes
from beholder.reports._all_rows import rows
from beholder.reports.html import html
from beholder.verdicts.trust import Trust

VOID = {"meta", "link", "input", "img", "br"}


class Page(HTMLParser):
    """Elements with their attributes, and all text; complains of tags that do not close."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[tuple[str, str]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, (tag, self.getpos())

    def handle_data(self, data: str) -> None:
        self.text.append((self.open[-1] if self.open else "", data))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def words(self) -> str:
        shown = [data for tag, data in self.text if tag not in ("script", "style")]
        return " ".join(" ".join(shown).split())


@pytest.fixture(scope="module")
def text(stereo: Section, saliency: Section, empty: Section) -> str:
    return html([stereo, saliency, empty])


@pytest.fixture(scope="module")
def page(text: str) -> Page:
    return Page(text)


def test_every_tag_closes_and_every_id_is_unique(page: Page) -> None:
    assert page.open == []
    ids = [a["id"] for _, a in page.elements if "id" in a]
    assert len(ids) == len(set(ids))


def test_what_must_be_read_is_there(page: Page, stereo: Section) -> None:
    for piece in (
        _notes.official_headline(stereo),
        stereo.verdicts[1].headline,
        "Over 7 common scenes",
        "got shape (1, 2), expected (375, 450)",
        "flat lies within its interval",
        "27/27",
        "7/9",
        "reference status",
        "placeholder",
        "← lower is better [%]",
        "higher is better →",
        "B = 100/N Σ [|d − g| > δ]",
        "Pixels without an answer count as bad.",
        "CC BY 4.0",
        "8c1f0a2b3d4e5f60",
        "9 of 12 samples",
        "numpy 2.1.0",
        "beholder cite DIR",
        "@inproceedings{Cabezas2011",
        "There is no verdict: nothing was judged.",
    ):
        assert piece in page.words, piece


def test_it_needs_nothing_else(page: Page, text: str) -> None:
    links = [a.get(key) for _, a in page.elements for key in ("src", "href") if a.get(key)]
    assert {"figures/teddy%201.svg", "figures/venus%232.svg"} <= set(links)
    assert all(link.startswith(("#", "figures/", "data:,")) for link in links if link)
    assert not re.search(r"@import|url\((?!#)|\bfetch\(|\bimport\b[^-]*from|XMLHttpRequest", text)
    assert all(a.get("type") in (None, "application/json") for a in page.all("script"))


def test_user_text_is_never_markup(stereo: Section, saliency: Section) -> None:
    evil = "</script><script>alert(1)</script><!--\"'><img src=x onerror=alert(1)>"
    frame = saliency.verdicts[0].standing.rename(columns={"mean": evil})
    card, dataset, model = (stereo.facts[kind][0] for kind in ("measures", "datasets", "models"))
    facts = {**stereo.facts, "about": evil, "versions": {evil: evil}}
    facts["failures"] = [{"model": evil, "sample": evil, "reason": evil}]
    facts["measures"] = [{**card, "label": evil, "text": evil, "deviations": [evil], "cite": evil}]
    facts["datasets"] = [{**dataset, "name": evil, "licence": evil, "about": evil}]
    facts["models"] = [{**model, "name": evil, "spec": evil}]
    verdict = saliency.verdicts[0]._replace(finding=evil, method=evil, left_out={evil: evil}, standing=frame)
    scores = saliency.scores.assign(reason=evil, criterion=evil).replace({"model": {"deep": evil}})
    skill = saliency.skill.assign(model=evil, measure=evil, settings=evil, blind=evil, ceiling=evil)
    notes = (Note("blind", evil, (evil,)),)
    line = Trust(*[evil] * 6)
    blind = saliency.blind.assign(model=evil, measure=evil, settings=evil, blind=evil)
    hostile = Section(evil, 1, scores, (verdict,), (verdict,), notes, line, blind, skill, facts, (evil,))
    page = Page(html([hostile]))
    assert len(page.all("script")) == 3  # the samples and the rows of the section, and our own
    assert len(page.all("img")) == 0
    assert not any(key.startswith("on") for _, attributes in page.elements for key in attributes)
    assert page.words.count("onerror=alert(1)") >= 15


def test_several_sections_are_listed_with_their_verdicts(text: str, stereo: Section) -> None:
    (nav,) = re.findall(r"<nav.*?</nav>", text, re.DOTALL)
    lines = re.findall(r'<li><a href="#(.*?)">(.*?)</a>: (.*?)</li>', nav)
    assert [name for _, name, _ in lines] == ["stereo/dense", "attention/saliency", "motion/static"]
    assert lines[0][2] == _notes.trust(stereo)
    ids = {a.get("id") for a in Page(text).all("section")}
    assert {id for id, _, _ in lines} == ids
    assert "<nav" not in html([stereo])


def test_pictures_are_captioned_with_their_samples(text: str) -> None:
    assert re.findall(r'<li><a href="figures[^>]*>([^<]*)</a></li>', text) == [
        "teddy 1",
        "venus#2",
        "mit/mit0",
        "interiors/interiors0",
    ]


def test_many_notes_are_folded(stereo: Section) -> None:
    text = html([stereo._replace(notes=tuple(Note("blind", f"note {at}") for at in range(20)))])
    assert "<summary>14 more</summary>" in text
    assert all(f"<li>Note {at}.</li>" in text for at in range(20))


def test_a_very_long_cell_of_a_standing_is_folded(stereo: Section) -> None:
    names = ", ".join(f"model{at}" for at in range(40))
    frame = stereo.verdicts[0].standing.assign(dominated_by=["", names[:100], names])
    text = html([stereo._replace(verdicts=(stereo.verdicts[0]._replace(standing=frame),), common_verdicts=())])
    assert f"<td>{names[:100]}</td>" in text
    short = ", ".join(f"model{at}" for at in range(7))  # 54 letters; the next name ends after 60
    assert f'<td class="many"><details><summary>{short} …</summary>{names}</details></td>' in text


def test_tables_and_drawings_can_be_read_aloud(page: Page) -> None:
    assert all(a.get("scope") in ("col", "row") for a in page.all("th"))
    drawings = [a for a in page.all("svg") if a.get("aria-hidden") != "true"]
    ids = {a.get("id") for tag, a in page.elements if tag in ("title", "desc")}
    assert len(drawings) >= 6
    assert all(a["role"] == "img" and set(str(a["aria-labelledby"]).split()) <= ids for a in drawings)
    assert all(a.get("alt") and a.get("loading") == "lazy" for a in page.all("img"))
    assert ("html", {"lang": "en"}) in page.elements


def test_the_data_of_the_page_are_the_rows(text: str, stereo: Section) -> None:
    found = re.findall(r'<script type="application/json">(.*?)</script>', text, re.DOTALL)
    data = json.loads(found[1])  # the samples stand before them
    columns = {c["name"]: c for c in data["columns"]}
    assert data["size"] == len(stereo.scores)
    models = [columns["model"]["levels"][code] for code in columns["model"]["codes"]]
    assert models == stereo.scores["model"].tolist()
    values = [math.nan if v is None else v for v in columns["value"]["numbers"]]
    np.testing.assert_allclose(values, stereo.scores["value"], rtol=1e-5)
    assert data["alike"] == {"dataset": "scenes", "repeat": "0", "provenance": "verified"}


def test_the_rows_name_variants_and_parts(stereo: Section) -> None:
    columns = {c["name"]: c for c in rows(stereo.scores)["columns"]}
    assert columns["measure"]["levels"] == ["bad_pixels(delta=1)", "density", "density.slope"]
    assert "settings" not in columns


def test_every_row_knows_its_role(text: str) -> None:
    assert '<tr class="baseline best"><th scope="row" class="name">census</th>' in text
    assert '<tr class="blind"><th scope="row" class="name">flat <span class="soft">blind</span></th>' in text
    key = text[text.index('<ul class="key') : text.index("</ul>", text.index('<ul class="key'))]
    assert re.findall(r"</svg>(.*?)</li>", key) == ["model", "oracle", "blind model", "best blind model"]


def test_infinities_survive(stereo: Section) -> None:
    scores = stereo.scores.head(3).assign(value=[math.inf, -math.inf, math.nan])
    (value,) = [c for c in rows(scores)["columns"] if c["name"] == "value"]
    assert value["numbers"] == ["Infinity", "-Infinity", None]
    assert len(html([stereo._replace(scores=scores)])) > 0


def test_no_section_is_still_a_page() -> None:
    assert Page(html([])).open == []


@pytest.mark.slow
def test_a_hundred_thousand_rows_stay_small(huge: Callable[[int], Section]) -> None:
    section = huge(100_000)
    assert len(section.scores) == 100_000
    assert len(html([section]).encode()) < 10e6  # the promise is 30 MB


def palette(css: str) -> dict[str, float]:
    """Relative luminance of each named colour (WCAG 2.1)."""
    found = {}
    for name, code in re.findall(r"--(\w+): #([0-9a-f]{6})", css):
        parts = [int(code[at : at + 2], 16) / 255 for at in (0, 2, 4)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        found[name] = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(scheme: str) -> None:
    css = resources.files("beholder.reports").joinpath("templates/report.css").read_text("utf-8")
    light, dark = css.split("@media (prefers-color-scheme: dark)")
    colours = palette(light if scheme == "light" else dark.split("\n}\n")[0])

    def contrast(a: str, b: str) -> float:
        high, low = sorted((colours[a], colours[b]), reverse=True)
        return (high + 0.05) / (low + 0.05)

    for ground in ("ground", "raised"):
        for ink in ("ink", "soft", "link", "bad"):
            assert contrast(ink, ground) >= 4.5, (ink, ground)
    for mark in ("model", "oracle", "person", "blind"):
        assert contrast(mark, "ground") >= 3, mark
