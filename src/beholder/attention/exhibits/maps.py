"""Maps of salience over pictures: which fits better where people look?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from beholder.attention.maps.features import ASSUMED
from beholder.attention.types import Density, Floats, Lookers, Picture, accept_map
from beholder.core.benchmark import Recorded
from beholder.core.entrant import parameters
from beholder.core.randomness import rng_for
from beholder.core.sample import Dataset, Sample, remark
from beholder.engines.progress import Silent, Watch
from beholder.errors import Misuse
from beholder.registry.load import dataset as dataset_of
from beholder.registry.load import load
from beholder.registry.models import models
from beholder.study.design.checks import instructed
from beholder.study.design.exhibition import Exhibition, Piece, Pixels, Still, choices, scale
from beholder.study.design.file import FIRST, SECOND, Question, Trial, Trials

PEOPLE = "people"
PRACTICE = 2
OPACITY = 0.65  # of the colour where a map is highest
GAMMA = 3.0  # ranks are raised to this, so that most of the picture stays as it is
HEAT = np.array([[0, 0, 160], [0, 170, 210], [250, 230, 60], [220, 20, 20]], np.float64)  # from low to high
INSTRUCTIONS = """\
You will see pictures with coloured areas. The colours say where people look, or where a computer program expects them
to look: red is where most do, no colour is where hardly anyone does.

{task}

Some pictures show an instruction. Please follow it.
"""
TASKS = {
    "two_alternative": "You see the same picture twice, with two colourings. Say which one fits better.",
    "rating": "Say how well the colours fit where you would look.",
}


def maps(
    *,
    dataset: str = "simulated",
    model: str | Sequence[str] = ("itti", "centre"),
    people: bool = True,
    limit: int = 40,
    count: int = 20,
    trial: Trial = "two_alternative",
    seed: int = 0,
    watch: Watch | None = None,
) -> Exhibition:
    """Maps of models and of people, as colours over pictures: which of two fits better, or how well does one fit?

    `dataset` and `model` are as --dataset and --model take them. People's map shows their fixations, blurred by a
    degree. All maps are brought to the same histogram (ranks, cubed), so that they differ in where the colours are, not
    in how much colour there is. `limit` pictures are drawn, and a participant sees `count`.
    """
    watch = watch or Silent()
    if trial == "yes_no":
        raise Misuse("got trial=yes_no; expected two_alternative or rating")
    shown = dataset_of("attention.datasets", dataset)
    order = rng_for(seed, "which").permutation(len(shown))[:limit]
    some = shown.only([shown.ids[at] for at in sorted(order)])
    makers = _makers([model] if isinstance(model, str) else model, some)
    if len(makers) + people < (2 if trial == "two_alternative" else 1):
        raise Misuse(f"got {len(makers) + people} maps per picture; expected two or more: add a --model")
    left: list[str] = []
    pieces = list(_pieces(some, makers, people=people, left=left, watch=watch))
    groups = sorted({piece.group for piece in pieces})
    aside = PRACTICE if len(groups) >= 3 * PRACTICE else 0
    practised = [groups[at] for at in rng_for(seed, "practice").permutation(len(groups))[:aside]]
    many = min(count, len(groups) - aside)
    return Exhibition(
        title="Where do people look?",
        questions=(_question(trial),),
        instructions=INSTRUCTIONS.format(task=TASKS[trial]),
        pieces=[
            *(replace(one, use="practice") if one.group in practised else one for one in pieces),
            _check(pieces[0], trial),
        ],
        trial=trial,
        right={PEOPLE: PEOPLE} if people and trial == "two_alternative" else {},
        trials=Trials(count=many, practice=aside, checks=1, repeats=1 if many > 5 else 0),
        study={"seed": seed, "form": []},
        about={
            "exhibit": "attention.maps",
            "dataset": shown.name,
            "about": shown.about,
            "licence": shown.licence,
            "models": list(makers),
            "maps": "ranks, cubed: all have the same histogram",
            "seed": seed,
        },
        remarks=(
            *remark(left, "map", "missing because the model refused the picture"),
            *((f"{many} trials per participant, not {count}: there are no more pictures",) if many < count else ()),
        ),
    )


def _makers(specs: Sequence[str], shown: Dataset[Any, Any]) -> dict[str, Any]:
    benchmark = load("attention/saliency", dataset=shown)
    found = {name: one for spec in specs for name, one in models(spec, benchmark).items()}
    return {name: one if isinstance(one, Recorded) else one.function(benchmark.files) for name, one in found.items()}


def _pieces(
    shown: Dataset[Picture, Lookers], makers: dict[str, Any], *, people: bool, left: list[str], watch: Watch
) -> Iterator[Piece]:
    watch.begin("study: maps", len(shown) * (len(makers) + people), 0)
    for sample in shown:
        names = [*makers, *([PEOPLE] if people else [])]
        for name in names:
            try:
                values = _people(sample) if name == PEOPLE else _answer(makers[name], sample)
            except (ValueError, TypeError, LookupError, ArithmeticError) as fault:
                left.append(f"{name} on {sample.id} ({fault})")
                watch.step(failed=True)
                continue
            small = values.astype(np.float32)  # held until it is written
            still = Still(f"{sample.id}/{name}", partial(_drawn, shown, sample.id, small))
            yield Piece(
                id=f"{sample.id}/{name}",
                kind=name,
                media=still,
                group=sample.id,
                system=name,
                show="picture",
                stimulus="picture",
            )
            watch.step(failed=False)


def _answer(model: Any, sample: Sample[Picture, Lookers]) -> Floats:
    if isinstance(model, Recorded):
        raw = model.recall(sample.id)
    elif "rng" in parameters(model):
        raw = model(sample.stimulus, rng=rng_for(0, sample.id))
    else:
        raw = model(sample.stimulus)
    found = accept_map(raw, sample.stimulus)
    return np.exp(found.log) if isinstance(found, Density) else found.values


def _people(sample: Sample[Picture, Lookers]) -> Floats:
    """Everybody's fixations, blurred by a degree."""
    from scipy.ndimage import gaussian_filter

    shape, points = sample.reference.shape, sample.reference.points
    if not len(points):
        raise ValueError("nobody looked")
    counts = np.zeros(shape)
    np.add.at(counts, (points[:, 1].astype(int), points[:, 0].astype(int)), 1.0)
    scale = sample.reference.px_per_deg
    return np.asarray(gaussian_filter(counts, scale if np.isfinite(scale) else ASSUMED))


def coloured(pixels: Pixels, values: Any) -> Pixels:
    """A picture with a map over it: its ranks, cubed, as colours from none to red.

    >>> coloured(np.full((1, 3, 3), 100, np.uint8), np.array([[0.0, 5.0, 9.0]]))[0, [0, 2]].tolist()
    [[100, 100, 100], [178, 48, 48]]
    """
    from scipy.stats import rankdata

    ranks = rankdata(values).reshape(np.shape(values))
    low, span = ranks.min(), np.ptp(ranks)
    share = ((ranks - low) / span if span else np.zeros(ranks.shape)) ** GAMMA
    at = share * (len(HEAT) - 1)
    below = np.minimum(at.astype(int), len(HEAT) - 2)
    heat = HEAT[below] + (HEAT[below + 1] - HEAT[below]) * (at - below)[..., None]
    picture = np.stack([pixels] * 3, axis=-1) if pixels.ndim == 2 else pixels
    cover = OPACITY * np.sqrt(share)[..., None]
    return np.asarray(np.rint(picture * (1 - cover) + heat * cover), np.uint8)


def _drawn(shown: Dataset[Picture, Lookers], id: str, values: Any) -> Pixels:
    return coloured(shown.load(id).stimulus.pixels, values)


def _question(trial: Trial) -> Question:
    if trial == "two_alternative":
        answers = choices((FIRST, "The first"), (SECOND, "The second"))
        return Question(dimension="fit", text="Which fits better where people look?", answers=answers)
    return Question(
        dimension="fit", text="How well does it fit where you would look?", answers=scale("not at all", "perfectly")
    )


def _check(one: Piece, trial: Trial) -> Piece:
    """A picture that says which answer to give."""
    answer, label = (FIRST, "the first") if trial == "two_alternative" else ("2", "2")
    assert isinstance(one.media, Still)  # all maps are
    still = Still("check", instructed(one.media.pixels, f"Please answer: {label}"))
    return replace(one, id="check", kind="check", media=still, group="check", system="", use="check", expected=answer)
