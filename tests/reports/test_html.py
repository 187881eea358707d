"""The page as text: self-contained, escaped, well-formed, accessible."""

import json
import math
import re
from collections.abc import Callable
from html.parser import HTMLParser
from importlib import resources
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from tests.reports.conftest import score

from beholder.core.scores import plain, table
from beholder.core.verdict import Known, Note, Verdict
from beholder.errors import Misuse
from beholder.evaluation.sections import Section
from beholder.reports import _all_rows, _notes
from beholder.reports._all_rows import rows
from beholder.reports._comparison import row_of
from beholder.reports.html import html, write_pages
from beholder.verdicts.compare import Line, compare
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
    scores = plain(saliency.scores).assign(reason=evil, criterion=evil).replace({"model": {"deep": evil}})
    skill = saliency.skill.assign(model=evil, measure=evil, settings=evil, blind=evil, ceiling=evil)
    notes = (Note("blind", evil, (evil,)),)
    line = Trust(*[evil] * 6)
    blind = saliency.blind.assign(model=evil, measure=evil, settings=evil, blind=evil)
    hostile = Section(evil, 1, scores, (verdict,), (verdict,), notes, line, blind, skill, facts, (evil,))
    page = Page(html([hostile]))
    assert [a.get("type") for a in page.all("script")].count(None) == 1  # our own; the others are data
    assert not any(key.startswith("on") for _, attributes in page.elements for key in attributes)
    assert page.words.count("onerror=alert(1)") >= 15


def test_several_sections_have_a_card_each(text: str, stereo: Section) -> None:
    cards = re.findall(
        r'<a class="card[^"]*" href="#(.*?)">.*?<span class="id"><span>(.*?)</span>.*?<span class="says">(.*?)</span>',
        text,
        re.DOTALL,
    )
    assert [name for _, name, _ in cards] == ["stereo/dense", "attention/saliency", "motion/static"]  # own models first
    assert cards[0][2] == stereo.trust.brief
    assert all(len(says.split()) <= 25 for _, _, says in cards)
    assert {id for id, _, _ in cards} == {a.get("id") for a in Page(text).all("article")}
    assert 'class="card' not in html([stereo])


def test_the_first_sentences_are_on_ones_own_models(text: str) -> None:
    (fates,) = re.findall(r'<ul class="fates">(.*?)</ul>', text, re.DOTALL)
    assert re.findall(r"<li><b>(.*?)</b> (.*?)</li>", fates)[:2] == [
        ("sgm", "is one of 2 leaders of 3 on stereo/dense, with no clear winner, and beats every blind model."),
        ("block", "is 3rd of 3 on stereo/dense, and beats every blind model."),
    ]
    assert "<h1>On 2 benchmarks, your 4 models are clearly best on 1 and tied with the best on 1." in text


@pytest.mark.parametrize(
    ("kinds", "badge"),
    [
        (("recorded",), "real people"),
        (("published",), "published people"),
        (("simulated",), "simulated people"),
        ((), "ground truth"),
    ],
)
def test_whether_people_are_real_is_said_first(stereo: Section, kinds: tuple[str, ...], badge: str) -> None:
    page = Page(html([stereo._replace(known=Known(people=kinds))]))
    assert page.words.index(badge) < page.words.index("Scores yours")


def test_settings_of_models_become_columns(stereo: Section) -> None:
    rename = {"sgm": "sgbm(window=5)", "census": "sgbm(window=9)"}
    verdict = stereo.verdicts[0]._replace(standing=stereo.verdicts[0].standing.rename(index=rename))
    scores = plain(stereo.scores).replace({"model": rename})
    text = html([stereo._replace(scores=scores, verdicts=(verdict,), common_verdicts=())])
    head = text[text.index('class="dots"') : text.index("</thead>", text.index('class="dots"'))]
    assert '<button type="button" data-key="set">window</button>' in head
    assert '<span class="tag">yours</span></th><td class="set">5</td>' in text
    assert ' title="sgbm(window=5)">sgbm <' in text


def test_every_pair_is_what_compare_says(text: str, stereo: Section) -> None:
    data = [
        json.loads(found) for found in re.findall(r'<script type="application/json">(.*?)</script>', text, re.DOTALL)
    ]
    pairs = next(one for one in data if "pairs" in one)
    names = pairs["names"]
    assert len(pairs["pairs"]) == len(names) * (len(names) - 1)  # in both orders
    judged = stereo.scores[stereo.scores["measure"] == "bad_pixels"]
    for first, second, says, lines, units in pairs["pairs"]:
        found = compare(judged, names[first], names[second])
        assert says == found.says
        expected = [row_of(Line(*line), "").texts[1:] for line in found.table.itertuples(index=False, name=None)]
        assert [tuple(line[1:-1]) for line in lines] == expected
        assert [line[-1] for line in lines] == found.table["outcome"].isin(("better", "worse")).tolist()
        assert {unit[1] for unit in units} <= set(found.units["unit"])


def test_many_models_are_folded_and_few_pairs_computed(stereo: Section) -> None:
    names = [f"model {at:03d}" for at in range(120)]
    rows = [
        score(name, "baseline", unit, at + 0.1 * n) for at, name in enumerate(names) for n, unit in enumerate("abcdefg")
    ]
    rows += [score("mine", "model", unit, 70.5) for unit in "abcdefg"]
    standing = pd.DataFrame({"mean": np.arange(121.0)}, index=[*names, "mine"])
    verdict = Verdict("mean_score", (names[0],), standing, "model 000 is best")
    text = html(
        [
            stereo._replace(
                scores=table(rows), verdicts=(verdict,), common_verdicts=(), blind=stereo.blind[:0], figures=()
            )
        ]
    )
    assert text.count(' more"><th') == 100
    assert '<tr class="model own"><th scope="row" class="name" title="mine">' in text
    assert "Pairs with mine, model 000 are ready here; beholder compare A B shows any other." in text


def test_many_notes_are_folded(stereo: Section) -> None:
    text = html([stereo._replace(notes=tuple(Note("blind", f"note {at}") for at in range(20)))])
    assert "<summary>16 more</summary>" in text
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
    assert len(drawings) >= 2
    assert all(a["role"] == "img" and set(str(a["aria-labelledby"]).split()) <= ids for a in drawings)
    assert all("alt" in a for a in page.all("img"))
    assert ("html", {"lang": "en"}) in page.elements


def test_the_data_of_the_page_are_the_rows(text: str, stereo: Section) -> None:
    found = re.findall(r'<script type="application/json">(.*?)</script>', text, re.DOTALL)
    data = next(one for one in map(json.loads, found) if "columns" in one)
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
    assert (
        '<tr class="model own best"><th scope="row" class="name" title="sgm">sgm <span class="tag">yours</span></th>'
        in text
    )
    assert '<tr class="baseline best"><th scope="row" class="name" title="census">census</th>' in text
    assert (
        '<tr class="blind"><th scope="row" class="name" title="flat">flat <span class="soft">blind</span></th>' in text
    )
    key = text[text.index('<ul class="key') : text.index("</ul>", text.index('<ul class="key'))]
    assert [word.split(":")[0].split(",")[0].split(";")[0] for word in re.findall(r"</span>([^<]+)</li>", key)] == [
        "yours", "baseline", "oracle", "blind model"
    ]  # fmt: skip


def test_files_beside_a_page_escape_what_they_hold(stereo: Section, tmp_path: Path) -> None:
    evil = "</script><script>alert(1)</script>\u2028"
    hostile = stereo._replace(scores=plain(stereo.scores).replace({"model": {"sgm": evil}}), figures=())
    written = write_pages([hostile, hostile._replace(benchmark=evil)], tmp_path / "report.html")
    assert len(written.files) == 1 + 2 * 3
    assert all(tmp_path in file.resolve().parents for file in written.files)
    for file in written.files:
        text = file.read_text("utf-8")
        assert "<script>alert" not in text
        if file.suffix == ".js":
            assert not set("<\u2028") & set(text)


def test_a_file_that_cannot_be_mailed_is_refused(
    stereo: Section, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("beholder.reports.html.MAILED", 1000.0)
    with pytest.raises(Misuse, match=r"would weigh \d+ MB, over the 0 MB that mail takes"):
        write_pages([stereo], tmp_path / "report.html", single=True)
    assert not list(tmp_path.iterdir())


def test_infinities_survive(stereo: Section) -> None:
    scores = stereo.scores.head(3).assign(value=[math.inf, -math.inf, math.nan])
    (value,) = [c for c in rows(scores)["columns"] if c["name"] == "value"]
    assert value["numbers"] == ["Infinity", "-Infinity", None]
    assert len(html([stereo._replace(scores=scores)])) > 0


def test_no_section_is_still_a_page() -> None:
    assert Page(html([])).open == []


def test_too_many_rows_are_counted_and_left_to_the_file(stereo: Section, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_all_rows, "MOST", len(stereo.scores) - 1)
    page = html([stereo])
    assert f"All {len(stereo.scores):,} score rows" in page
    assert "They are too many for a page. All of them are in scores.csv." in page
    assert 'class="rows"' not in page


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
    assert contrast("own", "wash") >= 4.5
    for ink in ("own", "good"):
        assert contrast(ink, "ground") >= 4.5, ink
    for mark in ("model", "oracle", "person", "blind", "ceiling"):
        assert contrast(mark, "ground") >= 3, mark
