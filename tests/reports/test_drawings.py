"""Drawings of verdicts inside a page."""

import re
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from beholder.core.scores import Score, table
from beholder.evaluation.sections import Section
from beholder.judges.mean_rank import mean_rank
from beholder.judges.nemenyi import nemenyi
from beholder.judges.pareto import pareto
from beholder.reports import _drawings
from beholder.reports._drawings import Drawing, drawing
from beholder.reports.html import html
from beholder.verdicts.components import on_common_units

NAMES = ("<script>alert(1)</script>", ' id="figure_1" href="#x" <g id="axes_1">', r"$\nosuch$ & url(#x)", "模型")


def scores(names: tuple[str, ...] = NAMES, units: int = 5) -> pd.DataFrame:
    """Models that differ by one on every unit, but for the first unit, on which they stand in reverse."""
    losses = np.arange(len(names))[:, None] + np.zeros(units)
    losses[:, 0] = -losses[:, 0]
    return table(
        Score("b", 1, name, "model", "toy", f"u{u}", 0, "bad", "", "", "all", "lower", float(v), 0, 0, 1, "ok", "", "")
        for name, own in zip(names, losses, strict=True)
        for u, v in enumerate(own)
    )


def whole(found: Drawing | None) -> ElementTree.Element:
    """A drawing read by another parser."""
    assert found is not None
    assert found.fault == ""
    return ElementTree.fromstring(f'<svg xmlns:xlink="http://www.w3.org/1999/xlink">{found.inside}</svg>')


def section(empty: Section, made: pd.DataFrame) -> Section:
    return empty._replace(scores=made, verdicts=(pareto(made), nemenyi(made), mean_rank(made)))


@pytest.mark.parametrize("judge", [pareto, nemenyi])
def test_names_stay_text(judge) -> None:  # type: ignore[no-untyped-def]
    made = scores()
    root = whole(drawing(made, judge(made), "p"))
    texts = [" ".join("".join(text.itertext()).split()) for text in root.iter("text")]
    for name in NAMES:
        assert any(name.strip() in text for text in texts), (name, texts)
    assert not {element.tag for element in root.iter()} & {"script", "style", "metadata", "image"}


@pytest.mark.parametrize("judge", [pareto, nemenyi])
def test_every_id_is_its_own_and_every_reference_is_met(judge) -> None:  # type: ignore[no-untyped-def]
    made = scores()
    root = whole(drawing(made, judge(made), "p7"))
    ids = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    assert len(ids) == len(set(ids)) > 3
    assert all(id.startswith("p7-") for id in ids)
    attributes = " ".join(value for element in root.iter() for value in element.attrib.values())
    links = [element.attrib.get("{http://www.w3.org/1999/xlink}href", "") for element in root.iter()]
    asked = {*re.findall(r"url\(#(.*?)\)", attributes), *(link.removeprefix("#") for link in links if link)}
    assert asked
    assert asked <= set(ids)


def test_drawings_on_a_page_do_not_clash(empty: Section) -> None:
    text = html([section(empty, scores()), section(empty, scores())])
    ids = re.findall(r'<[^>]*\sid="([^"]*)"', text)
    assert len(ids) == len(set(ids))
    assert text.count('<figure class="judged"') == 4
    assert text.count("<script") == 5  # the rows and the pairs of both sections, and our own
    assert text.count("</script") == 5
    drawings = re.findall(r'<figure class="judged".*?</figure>', text, re.DOTALL)
    for one in drawings:
        (labelled,) = re.findall(r'<svg [^>]*role="img" aria-labelledby="(.*?)"', one)
        assert re.search(rf'<title id="{labelled}">[^<]+</title>', one)
        assert not re.search(r"<\?xml|<!DOCTYPE|<!--|<style", one)


def test_equal_runs_give_equal_pages(empty: Section) -> None:
    assert html([section(empty, scores())]) == html([section(empty, scores())])


@pytest.mark.parametrize(
    ("names", "units", "drawn"),
    [
        (("a", "b"), 2, True),
        (("a",), 5, False),
        (("a", "b"), 1, False),
        (("a", "b"), 16, True),
        (("a", "b"), 17, False),
    ],
)
def test_layers_need_two_models_and_two_axes(names: tuple[str, ...], units: int, drawn: bool) -> None:
    made = scores(names, units)  # more than 16 components are drawn as means, of which there is one here
    assert (drawing(made, pareto(made), "p") is not None) == drawn


def test_other_roles_and_parts_are_no_axes() -> None:
    made = scores(("a", "b"), 2)
    one = made[made["unit"] == "u0"]
    more = made.assign(role="blind", unit="v"), made.assign(part="left")
    assert drawing(pd.concat([one, *more]), pareto(one), "p") is None


def test_other_judges_have_no_drawing() -> None:
    made = scores()
    assert drawing(made, mean_rank(made), "p") is None
    one = scores(("a",))
    assert drawing(one, nemenyi(one), "p") is None


def test_a_drawing_that_fails_costs_itself_only(empty: Section, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("no ink <b>")

    monkeypatch.setattr(_drawings, "draw_pareto_layers", broken)
    text = html([section(empty, scores())])
    assert "this picture could not be drawn (RuntimeError: no ink &lt;b&gt;)" in text
    assert text.count('<figure class="judged"') == 1
    assert 'aria-label="standing by Pareto dominance"' in text


def test_only_what_was_judged_is_drawn(empty: Section, stereo: Section) -> None:
    made = scores(("a", "b"), 3)
    other = made.assign(measure="better")
    card = {**stereo.facts["measures"][0], "settings": ""}
    cards = [{**card, "name": n, "label": n, "official": n == "bad"} for n in ("bad", "better")]
    facts = {**empty.facts, "measures": cards}
    both = empty._replace(scores=pd.concat([made, other]), verdicts=(pareto(made),), facts=facts)
    (shown,) = re.findall(r'<figure class="judged".*?</figure>', html([both]), re.DOTALL)
    assert re.findall(r">(u\d all|b\w+ u\d all)<", shown) == ["u0 all", "u1 all", "u2 all"]


def test_common_units_have_drawings_of_their_own(empty: Section) -> None:
    made = scores(("a", "b", "c"), 4)
    lost = made.assign(value=made["value"].mask((made["model"] == "c") & (made["unit"] == "u3")))
    lost["state"] = np.where(lost["value"].isna(), "failed", "ok")
    text = html(
        [empty._replace(scores=lost, verdicts=(pareto(lost),), common_verdicts=(pareto(on_common_units(lost)),))]
    )
    first, second = re.findall(r'<figure class="judged".*?</figure>', text, re.DOTALL)
    assert (first.count(" all<"), second.count(" all<")) == (4, 3)
    assert (">c<" in first, ">c<" in second) == (False, True)
