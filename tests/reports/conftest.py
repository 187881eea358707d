"""Sections as runs make them: invented numbers, realistic in shape and size; and a browser to look at them in."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from beholder.core.scores import Score, table
from beholder.core.verdict import Known, Note, Verdict
from beholder.evaluation.sections import Section, SectionFacts
from beholder.verdicts.against_blind import against_blind
from beholder.verdicts.skill import COLUMNS, skill
from beholder.verdicts.trust import Basis, Trust, trust
from chromium import chromium

EVIL = "<script>alert('x')</script>"
NAN = math.nan
NO_SKILL = pd.DataFrame(columns=COLUMNS)
PICTURES = ("figures/mit/mit0.svg", "figures/interiors/interiors0.svg")

SCENES = ("cones", "dots", "motorcycle", "ramp", "slant", "steps", "teddy", "tsukuba", "venus")
REGIONS = {"nonocc": 0.0, "all": 3.0, "disc": 9.0}
STEREO = {  # mean % of bad pixels by model, and role
    "sgm": (6.0, "model"),
    "block": (12.0, "model"),
    "census": (8.5, "baseline"),
    "broken": (NAN, "baseline"),
    "flat": (71.0, "blind"),
    "noise": (88.0, "blind"),
    "truth+half": (1.5, "oracle"),
}


def score(model: str, role: str, unit: str, value: float, **more: object) -> Score:
    """A row with the defaults of a healthy one."""
    base = {
        "benchmark": "stereo/dense",
        "version": 1,
        "model": model,
        "role": role,
        "dataset": "scenes",
        "unit": unit,
        "repeat": 0,
        "measure": "bad_pixels",
        "settings": "delta=1",
        "part": "",
        "criterion": "nonocc",
        "better": "lower",
        "value": value,
        "lo": NAN,
        "hi": NAN,
        "n": 1,
        "state": "ok",
        "reason": "",
        "provenance": "verified",
    }
    return Score(**{**base, **more})  # type: ignore[arg-type]


def stereo_rows(rng: np.random.Generator) -> list[Score]:
    """Seven models × nine scenes × three regions; `broken` fails on two scenes."""
    rows = []
    for model, (mean, role) in STEREO.items():
        for scene in SCENES:
            for region, harder in REGIONS.items():
                value = abs((20.0 if model == "broken" else mean) + harder + rng.normal(0, 2 + harder / 4))
                failed = model == "broken" and scene in ("teddy", "venus")
                why = {"state": "failed", "reason": f"ValueError: got shape (1, 2), expected (375, 450) {EVIL}"}
                rows.append(
                    score(model, role, scene, NAN if failed else value, criterion=region, **(why if failed else {}))
                )
    return rows


def pooled_rows() -> list[Score]:
    """A measure of the whole dataset with a part, whose interval the runner filled."""
    rows = []
    for at, (model, (_, role)) in enumerate(STEREO.items()):
        value, same = 0.9 - at / 10, {"measure": "density", "settings": "", "criterion": "all", "n": 9}
        lost = {"state": "partial", "reason": "2 of 9 samples were lost"} if model == "broken" else {}
        rows.append(score(model, role, "*", value, lo=value - 0.05, hi=value + 0.04, better="higher", **same, **lost))
        rows.append(score(model, role, "*", 1.25 * at, part="slope", better="neither", **same))
    return rows


def verdicts() -> tuple[Verdict, Verdict]:
    """Two judges that differ: dominance keeps two models, ranks only one."""
    out = {"broken": "6 of 27 scores failed: ValueError: got shape (1, 2), expected (375, 450)"}
    pareto = pd.DataFrame(
        {"layer": [1, 1, 2], "in_best": [1.0, 0.93, 0.02], "dominated_by": ["", "", "sgm"]},
        index=pd.Index(["sgm", "census", "block"], name="model"),
    )
    ranks = pd.DataFrame(
        {"mean_rank": [1.1111, 1.9, 2.98], "lo": [1.0, 1.7, 2.9], "hi": [1.3, 2.1, 3.0]},
        index=pd.Index(["sgm", "census", "block"], name="model"),
    )
    return (
        Verdict(
            "Pareto dominance",
            ("sgm", "census"),
            pareto,
            "2 of 3 models are undominated on bad_pixels(delta=1): sgm, census; block is dominated by sgm",
            "Cabezas2011",
            out,
            (Note("components", "3 of 27 components do not apply to every model and were left out"),),
        ),
        Verdict("mean rank", ("sgm",), ranks, "sgm has the best mean rank, 1.11 [1.00, 1.30]", "Scharstein2002", out),
    )


def facts_of(**more: object) -> SectionFacts:
    """What run.json says of a benchmark: nothing, but for what is given."""
    empty = {"name": "", "version": 1, "about": "", "official": [], "unjudged": [], "judges": []}
    return {**empty, "datasets": [], "measures": [], **more}  # type: ignore[typeddict-item]


def measure_facts(name: str, settings: str = "", **more: object) -> dict[str, object]:
    """The card of a measure in run.json."""
    label = f"{name}({settings})" if settings else name
    card = {"name": name, "settings": settings, "label": label, "better": "lower", "bounds": ["-inf", "inf"]}
    card |= {"unit": "", "per": "sample", "person": None, "cite": "", "official": True, "text": "", "deviations": []}
    return card | more


def dataset_facts(name: str, **more: object) -> dict[str, object]:
    """A dataset in run.json."""
    known = {"name": name, "fingerprint": "", "samples": 9, "of": 9, "ids": None}
    return {**known, "licence": "", "cite": "", "about": "", "status": "", **more}


def model_facts(name: str, role: str = "model", **more: object) -> dict[str, object]:
    """A model in run.json."""
    known = {"name": name, "role": role, "spec": name, "cite": "", "facts": {}, "settings": {}, "parameters": ""}
    return {**known, "seconds": 1.5, **more}


STEREO_FACTS = facts_of(
    about="Dense disparity against ground truth, by region.",
    datasets=[
        dataset_facts(
            "scenes",
            fingerprint="8c1f0a2b3d4e5f60",
            of=12,
            licence="CC BY 4.0",
            cite="Scharstein2002",
            about="Nine rendered and measured pairs.",
            status="verified",
        )
    ],
    measures=[
        measure_facts(
            "bad_pixels",
            "delta=1",
            bounds=["0", "100"],
            unit="%",
            cite="Scharstein2002",
            text="Share of pixels that are off by more than delta.\n\nB = 100/N Σ [|d − g| > δ]\n\n"
            "Deviation: Pixels without an answer count as bad.",
            deviations=["Pixels without an answer count as bad."],
        ),
        measure_facts(
            "density", better="higher", bounds=["0", "1"], official=False, text="Share of pixels with an answer."
        ),
    ],
    models=[model_facts(name, role) for name, (_, role) in STEREO.items()],
    failures=[
        {"model": "broken", "sample": s, "reason": f"ValueError: got shape (1, 2), expected (375, 450) {EVIL}"}
        for s in ("teddy", "venus")
    ],
    failed=2,
    seed=7,
    versions={"beholder": "0.1.0", "numpy": "2.1.0"},
    started="2025-01-01T12:00:00Z",
)


def section(*parts: Any) -> Section:
    """A section with its trust line and its table of blind models, made as reports have them."""
    name, version, scores, verdicts, common, notes, skilled, facts, figures = parts
    blind = against_blind(scores)
    units = scores.loc[scores["role"] == "model", ["dataset", "unit"]].drop_duplicates()
    basis = Basis(len(units), tuple(map(str, scores["dataset"].unique())), Known(people=("recorded",)))
    line = trust(verdicts, blind, skilled, basis) if verdicts else Trust(*[""] * 6)
    return Section(name, version, scores, verdicts, common, notes, line, blind, skilled, facts, figures)


@pytest.fixture(scope="session")
def stereo() -> Section:
    """Four models, one failing, two of them baselines; two blind models, an oracle; a pooled measure with a part."""
    rows = [*stereo_rows(np.random.default_rng(3)), *pooled_rows()]
    first, second = verdicts()
    again = first._replace(finding="Over 7 common scenes sgm and census are not dominated.", left_out={}, notes=())
    text = "block is better than the blind model flat on {about}, but flat lies within its interval"
    notes = (
        Note("blind", text, about=("bad_pixels(delta=1) (disc)",)),
        Note("shared", "The dataset was limited to 9 of 12 samples."),
    )
    figures = ("figures/teddy 1.svg", "figures/venus#2.svg")
    return section("stereo/dense", 1, table(rows), (first, second), (again,), notes, NO_SKILL, STEREO_FACTS, figures)


def saliency_rows(rng: np.random.Generator) -> list[Score]:
    """Two models, two blind models, a ceiling and eight persons on two datasets of six pictures."""
    levels = {"deep": (1.9, "model"), EVIL: (1.2, "model"), "centre": (0.8, "blind"), "uniform": (0.0, "blind")}
    levels |= {"other people": (2.3, "ceiling")}
    levels |= {f"p{n:02d}": (1.4 + n / 20, "person") for n in range(8)}
    rows = []
    same = {
        "benchmark": "attention/saliency",
        "version": 2,
        "measure": "nss",
        "settings": "",
        "criterion": "all",
        "better": "higher",
    }
    for dataset in ("mit", "interiors"):
        for model, (mean, role) in levels.items():
            for at in range(6):
                value = mean + rng.normal(0, 0.3)
                status = "placeholder" if dataset == "interiors" else "verified"
                rows.append(score(model, role, f"{dataset}{at}", value, dataset=dataset, provenance=status, **same))
    return rows


@pytest.fixture(scope="session")
def saliency() -> Section:
    """With a ceiling and persons, two datasets, a model with a hostile name, and hardly any facts."""
    standing = pd.DataFrame({"mean": [1.9, 1.2]}, index=pd.Index(["deep", EVIL], name="model"))
    verdict = Verdict("mean_score", ("deep",), standing, f"deep is better than {EVIL}")
    rows = table(saliency_rows(np.random.default_rng(4)))
    found = skill(rows, draws=200)
    return section("attention/saliency", 2, rows, (verdict,), (), found.notes, found.table, facts_of(), PICTURES)


def people_rows() -> list[Score]:
    """On `nss` people are at 3, the blind model at 1, the models at 2 and 2.5; on `sim` it is as good as people."""
    nss = {"near": (2.5, "model"), "far": (2.0, "model"), "people": (3.0, "ceiling"), "centre": (1.0, "blind")}
    sim = {"near": (0.5, "model"), "far": (0.4, "model"), "people": (0.6, "ceiling"), "centre": (0.6, "blind")}
    same = {
        "benchmark": "attention/scanpath",
        "settings": "",
        "better": "higher",
        "criterion": "all",
        "dataset": "office",
    }
    return [
        score(model, role, unit, value + wobble * (2 if role == "model" else 1), measure=measure, **same)
        for measure, levels in (("nss", nss), ("sim", sim))
        for model, (value, role) in levels.items()
        for unit, wobble in (("desk", -0.25), ("door", 0.0), ("hall", 0.25))
    ]


@pytest.fixture(scope="session")
def people() -> Section:
    """With skill on one of two measures, on a dataset of three units only."""
    standing = pd.DataFrame({"mean": [1.5, 1.2]}, index=pd.Index(["near", "far"], name="model"))
    verdict = Verdict("mean score", ("near",), standing, "near has the best mean score of 2 models, 1.5")
    rows = table(people_rows())
    found = skill(rows, draws=200)
    figures = ("figures/attention_scanpath/office/desk.svg",)
    return section("attention/scanpath", 1, rows, (verdict,), (), found.notes, found.table, facts_of(), figures)


@pytest.fixture(scope="session")
def empty() -> Section:
    """A benchmark of which there is nothing at all."""
    return section("motion/static", 1, table([]), (), (), (), NO_SKILL, facts_of(), ())


@pytest.fixture(scope="session")
def huge() -> Callable[[int], Section]:
    """A section of about as many rows as asked for."""

    def make(rows: int) -> Section:
        rng = np.random.default_rng(5)
        units = rows // 20
        names = [(f"model {m}", "model") for m in range(18)] + [("flat", "blind"), ("noise", "blind")]
        scores = [score(m, r, f"picture {u:05d}", float(rng.gamma(2.0, 4.0))) for m, r in names for u in range(units)]
        standing = pd.DataFrame({"mean": np.arange(18.0)}, index=pd.Index([m for m, r in names if r == "model"]))
        verdict = Verdict("mean_score", ("model 0",), standing, "model 0 is best.")
        return section("stereo/dense", 1, table(scores), (verdict,), (), (), NO_SKILL, facts_of(), ())

    return make


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium; a test that needs it skips where it is not."""
    with chromium() as found:
        yield found


@pytest.fixture
def opened(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens a file, and says at the end whether the console complained or anything else was asked for."""
    complaints: list[str] = []
    pages = []

    def at(file: Path, **how: Any) -> Any:
        page = browser.new_page(**how)
        page.set_default_timeout(10_000)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda fault: complaints.append(str(fault)))
        page.on("request", lambda r: None if r.url.startswith(("file:", "data:")) else complaints.append(r.url))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.goto(file.as_uri())
        pages.append(page)
        return page

    yield at
    for page in pages:
        page.close()
    assert complaints == []
