"""attention/conditional: how well the fixations so far predict the next one."""

from __future__ import annotations

from functools import partial

from beholder.attention.benchmarks.saliency import blind
from beholder.attention.datasets.simulated import simulated
from beholder.attention.figures.forecasts import forecasts
from beholder.attention.figures.overview_forecasts import pictures_of
from beholder.attention.figures.views_of_paths import forecast_views
from beholder.attention.files import forecasts as forecast_files
from beholder.attention.files import maps as files
from beholder.attention.forecasts.forecast import First, accept_forecast, fixation_number
from beholder.attention.forecasts.next_of_people import ANY_ORDER, predict_next
from beholder.attention.maps.densities import as_densities
from beholder.attention.maps.fixated_pixels import check_choice
from beholder.attention.measures.conditional import (
    conditional_auc,
    conditional_information_gain,
    conditional_log_likelihood,
    conditional_nss,
)
from beholder.attention.models.conditional import Likelihood
from beholder.attention.people import ceiling as people
from beholder.attention.people.doubts import of_people
from beholder.attention.types import Lookers, Picture
from beholder.core.benchmark import Benchmark, Figures, Files, Lineup, Model, People, Unjudged
from beholder.core.cite import facts_of
from beholder.core.measure import card, fix
from beholder.core.sample import Dataset
from beholder.errors import Misuse
from beholder.judges.mean_rank import mean_rank
from beholder.registry.find import find, names, nearest
from beholder.registry.trained_on import trained_on

WITH_LIKELIHOOD = {
    "scenewalk_start": Likelihood("scenewalk"),
    "scenewalk_fitted": Likelihood("scenewalk(rates=fitted)"),
    "saccadic_prior": Likelihood("saccadic_prior"),
}
PEOPLE = People(people.observers, people.without, people.only, predict_next, further={ANY_ORDER: people.predict_other})
NUMBERS = range(1, 9)  # fixations that are scored apart: few people make more in three seconds
ABOUT = (
    "Each fixation of each person is predicted from the ones before it (the first one: {first}). There are two "
    "human ceilings. `people` predicts a person from the other people, given the last fixation: where they looked "
    "on this picture, and how people's eyes jump. `people_any_order` does so without the last fixation (the gold "
    "standard of maps); a model that reads the history, even a blind one, may beat it. Neither uses more of the "
    "history than the last fixation. Map models take part as densities, fitted on other pictures, that ignore the "
    "history. scenewalk_start has the constants at which SceneWalk's public fit begins, not the fitted ones, and "
    "may score far below a uniform density. scenewalk_fitted has those at which a fit to MIT1003 ended, and is not "
    "scored there. A score is the mean over people of each person's mean over fixations, so every person has the "
    "same weight; papers that pool all fixations of a picture give more weight to people who fixate more."
)


def conditional(
    dataset: Dataset[Picture, Lookers] | None = None, *, first: First = "drop", still: str = "itti"
) -> Benchmark:
    """Given where a person has looked so far, does a model know where the eye goes next? In bits, AUC and NSS.

    For a picture, a model returns a function from the fixations so far (a `Scanpath`: x, y, onset_ms, duration_ms) to
    the natural log probabilities of the next one: an array of the picture's size, or `Cells` of a coarser grid. It is
    asked along each person's scanpath in turn, and never sees what comes next. A density, a map, or a folder of them
    (dir:) can take part too, and gives the same answer every time. Maps get AUC and NSS only, and are judged when they
    are fitted: --model "mine=fitted(of='dir:maps', on='mit1003:PATH')".

    Built-in scanpath models with a likelihood take part by --model "conditional(of='scenewalk(of=gbvs)')", the others
    by --model "from_sampler(of=gravity)": a kernel density of simulated landings, marked low confidence in every row
    and not judged.

    `first` = keep also scores the first fixation of each scanpath. `still` names map models, joined by +, that take
    part as fitted densities. People are the ceiling: each person is predicted from the others, given the last fixation
    (people), or regardless of order (people_any_order).
    """
    check_choice("first", first, First)
    shown = simulated() if dataset is None else of_people(dataset)
    settings: dict[str, First] = {} if first == "drop" else {"first": first}
    gain, auc, nss = (_fixed(of, settings) for of in (conditional_information_gain, conditional_auc, conditional_nss))
    over_bias = fix(conditional_information_gain, baseline="controls", **settings)
    return Benchmark(
        name="attention/conditional",
        version=3,
        dataset=shown,
        measures=(gain, auc, nss),
        judges=(partial(mean_rank, undefined="model", low="apart"),),
        unjudged=Unjudged(
            (over_bias, _fixed(conditional_log_likelihood, settings)),
            tuple(fixation_number(count) for count in NUMBERS if count > 1 or first == "keep"),
        ),
        accept=accept_forecast,
        lineup=Lineup(
            {**likelihood_models(shown.name), **as_densities(_map_models(still), shown)},
            blind,
            people=PEOPLE,
        ),
        files=Files(forecast_files.SUFFIXES, forecast_files.read, forecast_files.write, files.show),
        figures=Figures(
            partial(forecasts, first=first),
            partial(pictures_of, official=tuple(card(of).label for of in (gain, auc, nss))),
            views=forecast_views,
        ),
        about=ABOUT.format(first="scored" if first == "keep" else "not scored"),
    )


def likelihood_models(dataset: str) -> dict[str, Model]:
    """The built-in models with a likelihood that were not fitted to this dataset."""
    return {name: of for name, of in WITH_LIKELIHOOD.items() if not trained_on(of, dataset)}


def _fixed(of: Model, settings: dict[str, First]) -> Model:
    return fix(of, **settings) if settings else of


def _map_models(still: str) -> dict[str, Model]:
    """Models of maps by their names."""
    known = names("attention.models")
    found: dict[str, Model] = {}
    for name in filter(None, still.split("+")):
        if name not in known:
            raise Misuse(f"got still={still!r}; expected names of map models, joined by +{nearest(name, known)}")
        found[name] = find("attention.models", name)
        if {"answers", "needs"} & set(facts_of(found[name])):
            raise Misuse(f"got still={still!r}; expected map models that need no setting, and {name} is not one")
    return found
