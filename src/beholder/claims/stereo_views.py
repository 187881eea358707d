"""What prediction error and self-consistency reward, recomputed; a part of docs/claims.md."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import beholder
from beholder.core.sample import Sample
from beholder.evaluation.run import run
from beholder.registry.find import find, names
from beholder.stereo.benchmarks.consistency import consistency
from beholder.stereo.benchmarks.dense import dense
from beholder.stereo.datasets.middlebury import middlebury
from beholder.stereo.datasets.planes import planes
from beholder.stereo.measures.prediction import view_rmse
from beholder.stereo.models.flat import flat
from beholder.stereo.readouts import Prediction, Visible, inside_region
from beholder.stereo.types import Map, Pair, Truth

VIEWS = {"cones": (0.5, 0.75), "venus": (1.5,), "tsukuba": (2.0,)}  # factors of the baseline
RULES: tuple[Visible, ...] = ("none", "truth", "own")
SOME = 2  # generated scenes
BLIND = ("flat", "random")  # models that do not look
Errors = Mapping[str, Mapping[Visible, float]]  # model → rule of visibility → RMSE


def view_claims() -> str:
    """Whether the truth predicts views at least as well as any matcher does, with and without visibility."""
    head = (
        "### Prediction error and visibility\n\n"
        "The claim: ground truth scores at least as well as any matcher. RMSE of inverse prediction, in grey levels, "
        "in the region `all`, where the truth is known: of all its pixels, of those that the view sees by the true "
        "disparity, and of those that it sees by the model's own map.\n\n"
    )
    scenes = folder()
    if scenes is None:
        return f"{head}Not recomputed here: the data is absent."
    dataset = middlebury(scenes)
    found = {(id, f): errors(dataset.load(id), f) for id, factors in VIEWS.items() for f in factors}
    return head + "\n\n".join([_cones(found["cones", 0.5]), _summary(found)])


def consistency_claims() -> str:
    """Whether a model can agree with itself and be wrong."""
    dataset, zero = planes(SOME), {"zero everywhere": partial(flat, disparity=0)}
    tables = [run(bench, zero, jobs=0, repeats=1) for bench in (consistency(dataset), dense(dataset))]
    apart, bad = (table.groupby(["measure", "criterion", "model"])["value"].mean() for table in tables)
    lines = [
        f"| {name} | {apart['inconsistency', 'all', name]:.1f} | {bad['bad_pixels', 'all', name]:.1f} |"
        for name in ("truth", *dense(dataset).provided("baseline"), *zero)
    ]
    head = (
        "### Self-consistency\n\n"
        "The claim: self-consistency is necessary for a right answer, not sufficient. Per cent of pixels on which the "
        "pairs of a scene contradict each other (`stereo/consistency`), and per cent of wrong pixels, on "
        f"{SOME} generated scenes:"
    )
    wrong = bad["bad_pixels", "all", "zero everywhere"]
    held = apart["inconsistency", "all", "zero everywhere"] == 0 and wrong > 0
    after = f"The claim {'holds' if held else 'fails'}: a map of zeros contradicts itself nowhere."
    return "\n".join([head, "", "| model | inconsistency | bad pixels |", "|---|---|---|", *lines, "", after])


def folder() -> Path | None:
    """The four scenes, below BEHOLDER_DATA or beside the repository; None where they are not."""
    beside = Path(beholder.__file__).parents[2].parent / "shared" / "data"
    place = Path(os.environ.get("BEHOLDER_DATA") or beside) / "stereo" / "mb_v2"
    return place if place.is_dir() else None


def matchers() -> dict[str, Callable[[Pair], Map]]:
    """All models of the package that look, and the modes of SGBM."""
    found = {name: find("stereo.models", name) for name in names("stereo.models") if name not in BLIND}
    modes = {f"sgbm(mode={mode})": partial(found["sgbm"], mode=mode) for mode in ("5", "3way", "hh4")}
    return {**found, **modes}


def errors(sample: Sample[Pair, Truth], factor: float) -> Errors:
    """RMSE of one view of a scene as the truth and all matchers predict it, in the region "all"."""
    truth = replace(sample.reference, views={factor: sample.reference.views[factor]})
    maps = {"truth": truth.disparity, **{name: model(sample.stimulus) for name, model in matchers().items()}}
    whole = {name: Prediction(sample.stimulus.left, found) for name, found in maps.items()}
    own = {name: inside_region(guess, truth, name="all")[0] for name, guess in whole.items()}
    return {name: {rule: view_rmse(guess, truth, visible=rule).value for rule in RULES} for name, guess in own.items()}


def best_matcher(found: Errors, rule: Visible) -> str:
    """The matcher with the least error."""
    return min((name for name in found if name != "truth"), key=lambda name: found[name][rule])


def _cones(found: Errors) -> str:
    lines = [
        f"| {name} | {' | '.join(f'{own[rule]:.2f}' for rule in RULES)} |"
        for name, own in sorted(found.items(), key=lambda item: item[1]["truth"])
    ]
    table = ["| Cones, view at 0.5 | all pixels | visible | visible by own map |", "|---|---|---|---|", *lines]
    return "\n".join([*table, "", _sentence(found)])


def _sentence(found: Errors) -> str:
    """What the numbers say of the claim."""
    parts = []
    rules: dict[Visible, str] = {"truth": "With the test of visibility", "none": "Without it"}
    for rule, words in rules.items():
        truth = found["truth"][rule]
        better = [name for name in found if found[name][rule] < truth]
        best = best_matcher(found, rule)
        verdict = f"fails: {len(better)} of {len(found) - 1} matchers score better" if better else "holds"
        parts.append(f"{words} the claim {verdict} (truth {truth:.2f}, best matcher {best} {found[best][rule]:.2f}).")
    why = (
        "A pixel that the view does not see is best explained by any other of its colour, which the true disparity "
        "does not look for: the test is not optional."
    )
    return " ".join([*parts, why])


def _summary(found: Mapping[tuple[str, float], Errors]) -> str:
    lines = []
    for (id, factor), own in found.items():
        cells = [f"{own['truth'][rule]:.2f} / {best_matcher(own, rule)} {_least(own, rule):.2f}" for rule in RULES[:2]]
        holds = "yes" if own["truth"]["truth"] <= _least(own, "truth") else "no"
        lines.append(f"| {id}, {factor:g} | {' | '.join(cells)} | {holds} |")
    head = ["| scene, view | all pixels: truth / best | visible: truth / best | holds |", "|---|---|---|---|"]
    after = "A truth can be coarser than what a matcher finds: that of Tsukuba is in whole pixels."
    return "\n".join([*head, *lines, "", after])


def _least(found: Errors, rule: Visible) -> float:
    return found[best_matcher(found, rule)][rule]
