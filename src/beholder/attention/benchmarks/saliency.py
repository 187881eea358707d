"""attention/saliency: maps and densities against where people look."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import partial
from zlib import crc32

import numpy as np

from beholder.attention import presets
from beholder.attention.criteria import PARTS
from beholder.attention.datasets.simulated import simulated
from beholder.attention.figures.looks import looks
from beholder.attention.figures.overview import pictures_of
from beholder.attention.figures.views_of_maps import map_views
from beholder.attention.files import maps as files
from beholder.attention.maps.blurs import reduce_to_blurs
from beholder.attention.maps.coarse import reduce_to_samples
from beholder.attention.maps.densities import as_densities
from beholder.attention.maps.fixation_maps import pixels, sigma_px
from beholder.attention.maps.rates import reduce_to_rates
from beholder.attention.measures.curves import mean_hits
from beholder.attention.measures.smoothing import at_best_blur
from beholder.attention.models.centre import centre
from beholder.attention.models.uniform import uniform
from beholder.attention.people import ceiling as people
from beholder.attention.people.doubts import of_people
from beholder.attention.people.gold_standard import other_pictures_density
from beholder.attention.readouts import fixation_density
from beholder.attention.types import Controls, Density, Lookers, Picture
from beholder.core.benchmark import (
    EVERYWHERE,
    Answers,
    Benchmark,
    Criterion,
    Figures,
    Files,
    Lineup,
    Model,
    People,
    Recorded,
    Unjudged,
)
from beholder.core.cite import facts_of
from beholder.core.measure import Measure, NotApplicable, card, fix
from beholder.core.sample import Dataset, Sample
from beholder.errors import Misuse
from beholder.judges.mean_rank import mean_rank
from beholder.judges.significance import significance
from beholder.registry.find import find, names
from beholder.registry.trained_on import trained_on

BLIND = ("centre", "uniform")  # built-in models that do not look
SMOOTHED = tuple(fix(at_best_blur, by=by) for by in ("auc", "sauc", "nss"))  # how much of a score is smoothness


def saliency(
    dataset: Dataset[Picture, Lookers] | None = None,
    *,
    preset: str = "beholder",
    sigma: float = 1.0,
    densities: str = "given",
    parts: bool = True,
) -> Benchmark:
    """Does a map or a density say where people look? All measures of the field, with people as the ceiling.

    A model returns an array of the picture's size, on any scale, or a `Density`; a `dir:` model is a folder of maps.
    `preset` is the convention by which measures count: beholder, tuebingen, mit-matlab, salicon or seed; it is part of
    their names. `sigma` is the blur of people's map in degrees. At fixations, models are scored on each observer in
    turn, and the ceiling is how well the other observers predict that one (their gold standard). Map-to-map measures
    compare with each half of the people, and the ceiling is how well the other half does. Under the published presets
    they compare with the map of everyone, which includes every person, so people have no score there.

    Information gain needs densities. With `densities` = given it is reported but not judged, because maps have none.
    With fitted it is judged: the built-in models' maps are turned into densities (blur, monotone nonlinearity and
    centre bias fitted on other pictures of the dataset). Fit your own maps with
    --model "mine=fitted(of='dir:maps', on='mit1003:PATH')". `parts` also scores focal and ambient fixations, the first
    three fixations, and two time windows. Each model is also scored at its own best blur, the same on all pictures
    (`at_best_blur`), which separates smoothness from knowledge. Neither of these is judged.

    Without a dataset the observers are simulated. Real ones: --dataset mit1003:PATH, osie:PATH, cat2000:PATH,
    table:PATH … Where there is raw gaze, you can compare two fixation detectors by giving the dataset twice:
    --dataset "mit1003(detector=velocity):PATH" --dataset "mit1003(detector=acceleration):PATH".
    """
    shown = simulated() if dataset is None else of_people(dataset)
    chosen = presets.preset(preset)
    judged, beside = (tuple(with_sigma(of, sigma) for of in each) for each in split_measures(chosen, densities))
    return Benchmark(
        name="attention/saliency",
        version=4,
        dataset=shown,
        measures=judged,
        judges=(mean_rank, significance),
        criteria=(reduced(EVERYWHERE),),
        unjudged=Unjudged((*beside, mean_hits, *SMOOTHED), tuple(map(reduced, PARTS)) if parts else ()),
        accept=files.accept_answer,
        lineup=Lineup(
            map_models(shown.name) if densities == "given" else as_densities(map_models(shown.name), shown),
            blind,
            people=People(people.observers, people.without, people.only, people.predict_other, people.shown_observers),
        ),
        files=Files(files.SUFFIXES, files.read, files.write, files.show),
        figures=Figures(
            partial(looks, sigma=sigma),
            partial(pictures_of, dataset=shown, official=tuple(card(of).label for of in judged)),
            views=partial(map_views, sigma=sigma),
        ),
        about=f"Maps and densities against where people look (preset {chosen.name}): {chosen.about}. People's map is "
        f"blurred by {sigma:g} degree(s); densities {densities}.",
    )


def reduced(criterion: Criterion) -> Criterion:
    """A criterion under which measures over a dataset get what is kept of each picture."""
    return reduce_to_blurs(reduce_to_rates(reduce_to_samples(criterion)))


def split_measures(chosen: presets.Preset, densities: str) -> tuple[list[Measure], list[Measure]]:
    """Split a preset's measures into judged and reported; information gain is judged if all models have densities."""
    if densities not in ("given", "fitted"):
        raise Misuse(f"got densities={densities!r}; expected 'given', or 'fitted' to turn maps into densities")
    beside = [of for of in chosen.measures if densities == "given" and card(of).name == "information_gain"]
    return [of for of in chosen.measures if of not in beside], [*beside, *chosen.extra]


def with_sigma(of: Measure, sigma: float) -> Measure:
    """The same measure with people's map blurred by σ degrees; its name says so unless σ is 1."""
    if not sigma > 0:
        raise Misuse(f"got sigma={sigma}; expected a blur of more than 0 degrees")
    if sigma == 1.0 or "sigma" not in inspect.signature(of).parameters:
        return of
    return fix(of, {"sigma": f"{sigma:g}"}, sigma=sigma)


def map_models(dataset: str) -> dict[str, Model]:
    """The built-in models of maps or densities that need no setting and were not trained on this dataset."""
    every = {name: find("attention.models", name) for name in names("attention.models") if name not in BLIND}
    barred = {"needs", "answers"}  # facts of models that need something, or answer with something else
    return {name: of for name, of in every.items() if barred.isdisjoint(facts_of(of)) and not trained_on(of, dataset)}


def blind(dataset: Dataset[Picture, Lookers]) -> Mapping[str, Model | Recorded]:
    """Models that do not look at the picture: uniform, a centred Gaussian, people on all other pictures, or on one."""
    return {
        "uniform": uniform,
        "centre": centre,
        "centre_bias": Recorded(Answers(dataset, centre_bias)),
        "another_picture": Recorded(Answers(dataset, another_picture)),
    }


def centre_bias(sample: Sample[Picture, Lookers]) -> Density:
    """Where people look on all other pictures of the dataset: the density of `information_gain(baseline=controls)`.

    It is highest right at the controls, one by one, so its shuffled AUC is below chance by construction.
    """
    return Density(np.log(other_pictures_density(_controls_of(sample), sample.reference)))


def another_picture(sample: Sample[Picture, Lookers]) -> Density:
    """Where people look on one other picture, chosen by this one's id: how people look, but not at this picture."""
    controls, lookers = _controls_of(sample), sample.reference
    pictures = np.unique(controls.picture)
    chosen = pictures[crc32(sample.id.encode()) % len(pictures)]
    where = pixels(controls.points[controls.picture == chosen], lookers.shape)
    return Density(np.log(fixation_density(where, lookers.shape, sigma_px(lookers))))


def _controls_of(sample: Sample[Picture, Lookers]) -> Controls:
    controls = sample.reference.controls
    if controls is None or not len(controls.points):
        raise NotApplicable("there are no fixations on other pictures")
    return controls
