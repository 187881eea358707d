"""What the page is told of drawn samples: whose models, which scores, where each picture lies."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from beholder.evaluation.sections import Section
from beholder.reports._samples import samples
from beholder.reports.html import html

EVIL = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
FOLDER = "figures/stereo_dense/scenes"


def view(title: str, file: str, **more: Any) -> dict[str, Any]:
    base = {"title": title, "file": file, "poster": "", "shape": [30, 40], "alt": f"the {title}", "legend": ""}
    return {**base, "over": "", "faint": False, **more}


def record(scene: str, models: tuple[str, ...] = ("sgm", "block", "census")) -> dict[str, Any]:
    titles = ("answer", "error")
    own = [
        {"model": name, "views": [view(title, f"{scene}/views/{at}-{n}.webp") for n, title in enumerate(titles)]}
        for at, name in enumerate(models)
    ]
    shared = [view("left image", f"{scene}/views/all-0.webp")]
    return {"id": scene, "views": {"shared": shared, "models": own, "note": ""}}


def drawn(stereo: Section, *scenes: str, **records: Any) -> Section:
    figures = tuple(f"{FOLDER}/{scene}.webp" for scene in scenes)
    return stereo._replace(figures=figures, drawn={f"{FOLDER}/{s}": records.get(s, record(s)) for s in scenes})


def shown(section: Section, **how: Any) -> dict[str, Any]:
    found = samples(section, how.get("link", str))
    assert found is not None
    json.dumps(found["data"], allow_nan=False)
    return found


def test_the_users_own_model_stands_first_and_the_best_other_beside_it(stereo: Section) -> None:
    data = shown(drawn(stereo, "teddy", "venus"))["data"]
    assert [one["name"] for one in data["models"]][:2] == ["sgm", "block"]  # in the order of the standing
    assert (data["models"][data["a"]]["name"], data["models"][data["b"]]["name"]) == ("sgm", "census")
    only = stereo._replace(scores=stereo.scores.assign(role=stereo.scores["role"].replace("model", "baseline")))
    assert shown(drawn(only, "teddy"))["data"]["a"] == 0  # else the leader


def test_scores_are_those_of_the_sample(stereo: Section) -> None:
    data = shown(drawn(stereo, "teddy", "venus"))["data"]
    assert data["measures"][0]["name"] == "bad_pixels(delta=1) (nonocc)"
    own = stereo.scores.query("unit == 'venus' and criterion == 'nonocc' and measure == 'bad_pixels'")
    numbers = {one["name"]: at for at, one in enumerate(data["models"])}
    expected = {numbers[row.model]: row.value for row in own.itertuples() if row.state == "ok"}
    assert data["samples"][1]["scores"][0] == pytest.approx(expected, rel=1e-4)
    assert "broken" not in numbers  # it failed on both


def test_every_address_is_one_of_the_pages(stereo: Section) -> None:
    asked: list[str] = []

    def link(path: str) -> str:
        asked.append(path)
        return f"data:{len(asked)}"

    found = shown(drawn(stereo, "teddy"), link=link)
    assert set(asked) == {f"{FOLDER}/teddy.webp", *(f"{FOLDER}/teddy/views/{n}.webp" for n in names())}
    text = json.dumps(found["data"])
    assert FOLDER not in text
    (sample,) = found["data"]["samples"]
    assert sample["base"] + sample["shared"][0][3] == f"data:{1 + asked.index(f'{FOLDER}/teddy/views/all-0.webp')}"


def names() -> list[str]:
    return ["all-0", *(f"{model}-{at}" for model in range(3) for at in range(2))]


def test_a_sheet_alone_is_a_sample_too_and_finds_its_scores(stereo: Section) -> None:
    found = shown(stereo._replace(figures=(f"{FOLDER}/teddy.webp",)))
    (item,) = found["items"]
    assert (item.name, item.sheet) == ("teddy", f"{FOLDER}/teddy.webp")
    assert found["data"]["a"] is None
    assert found["data"]["samples"][0]["scores"][0]


def test_pictures_of_all_samples_are_none_and_nothing_is_nothing(stereo: Section) -> None:
    assert samples(stereo._replace(figures=(f"{FOLDER}/overview/skill.png",)), str) is None
    assert samples(stereo._replace(figures=()), str) is None


def test_names_are_text(stereo: Section) -> None:
    hostile = record("teddy", (EVIL, "sgm"))
    hostile["id"] = hostile["fault"] = EVIL
    hostile["views"]["note"] = EVIL
    hostile["views"]["shared"] = [view(EVIL, "teddy/views/all-0.webp", alt=EVIL, legend=EVIL, over=EVIL)]
    text = html([drawn(stereo, "teddy", teddy=hostile)])
    assert "<script>alert" not in text
    assert "<img src=x" not in text
    assert not re.search(r"innerHTML|insertAdjacentHTML|document\.write|eval\(", text)
