"""Prediction error as a quality metric (Szeliski 1999), beside what comes out here: a section of the claims page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from beholder.claims.claim import markdown_table
from beholder.claims.local_data import ABSENT, data_folder
from beholder.core.sample import Sample
from beholder.registry.find import find, names
from beholder.stereo.datasets.middlebury import middlebury
from beholder.stereo.measures.prediction import view_rmse
from beholder.stereo.readouts import Prediction, Visible, inside_region
from beholder.stereo.types import Map, Pair, Truth

SCENES = "stereo/mb_v2"  # the four of Middlebury's second table
VIEWS = {"cones": (0.5, 0.75), "venus": (1.5,), "tsukuba": (2.0,)}  # factors of the baseline
RULES: tuple[Visible, ...] = ("none", "truth", "own")
BLIND = ("flat", "random")  # models that do not look
Errors = Mapping[str, Mapping[Visible, float]]  # model → rule of visibility → RMSE


def claims() -> str:
    """The section: whether the truth predicts views at least as well as any matcher, with and without visibility."""
    head = (
        "### Prediction error and visibility\n\nIf prediction error is a measure of quality (Szeliski 1999), it "
        "must score ground truth at least as well as any matcher. The numbers are the RMSE of inverse prediction, "
        "in grey levels, in the region `all`, where the truth is known: over all its pixels, over those that the "
        "view sees according to the true disparity, and over those that it sees according to the model's own "
        "map.\n\n"
    )
    scenes = data_folder(SCENES)
    if scenes is None:
        return head + ABSENT
    dataset = middlebury(scenes)
    found = {(id, f): errors(dataset.load(id), f) for id, factors in VIEWS.items() for f in factors}
    return head + "\n\n".join([_cones(found["cones", 0.5]), _summary(found)])


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
    ranked = sorted(found.items(), key=lambda item: item[1]["truth"])
    rows = [[name, *(f"{own[rule]:.2f}" for rule in RULES)] for name, own in ranked]
    table = markdown_table(["Cones, view at 0.5", "all pixels", "visible", "visible by own map"], rows)
    return "\n\n".join([table, _sentence(found)])


def _sentence(found: Errors) -> str:
    """What the numbers say of the claim."""
    parts = []
    rules: dict[Visible, str] = {"truth": "With the visibility test", "none": "Without it"}
    for rule, words in rules.items():
        truth = found["truth"][rule]
        better = [name for name in found if found[name][rule] < truth]
        best = best_matcher(found, rule)
        verdict = f"fails: {len(better)} of {len(found) - 1} matchers score better" if better else "holds"
        parts.append(f"{words} the claim {verdict} (truth {truth:.2f}, best matcher {best} {found[best][rule]:.2f}).")
    why = (
        "The visibility test is needed, because the view does not show every pixel: for a hidden pixel any other "
        "pixel of the same colour predicts better than the true disparity."
    )
    return " ".join([*parts, why])


def _summary(found: Mapping[tuple[str, float], Errors]) -> str:
    rows = []
    for (id, factor), own in found.items():
        cells = [f"{own['truth'][rule]:.2f} / {best_matcher(own, rule)} {_least(own, rule):.2f}" for rule in RULES[:2]]
        holds = "yes" if own["truth"]["truth"] <= _least(own, "truth") else "no"
        rows.append([f"{id}, {factor:g}", *cells, holds])
    table = markdown_table(["scene, view", "all pixels: truth / best", "visible: truth / best", "holds"], rows)
    after = "Ground truth can be coarser than what a matcher finds: that of Tsukuba is in whole pixels."
    return "\n\n".join([table, after])


def _least(found: Errors, rule: Visible) -> float:
    return found[best_matcher(found, rule)][rule]
