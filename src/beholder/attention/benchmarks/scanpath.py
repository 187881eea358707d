"""attention/scanpath: where, in what order and how models look, against people and five blind models."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from beholder.attention.datasets.simulated import simulated
from beholder.attention.files import maps as files
from beholder.attention.files import path_tables
from beholder.attention.files import paths as path_files
from beholder.attention.files.recorded import recorded_models
from beholder.attention.gaze.saccades import reduce_to_moves
from beholder.attention.measures.dynamics import amplitude_divergence
from beholder.attention.measures.mannan import mannan
from beholder.attention.measures.multimatch import Weights, multimatch
from beholder.attention.measures.scanmatch import scanmatch
from beholder.attention.measures.string_edit import string_edit, string_similarity
from beholder.attention.measures.time_delay import stde
from beholder.attention.paths.blind import PEOPLE, Elsewhere, Shuffled, blind, not_applicable_to
from beholder.attention.paths.search import search_criteria
from beholder.attention.paths.viewing_time import scanpath_models, viewing_time, with_viewing_time
from beholder.attention.people.doubts import of_people
from beholder.attention.types import Lookers, Picture
from beholder.core.benchmark import Benchmark, Figures, Files, Hooks, Lineup, Readings, Unjudged
from beholder.core.measure import Measure, card, fix
from beholder.core.sample import Dataset, Sample
from beholder.core.views import Views
from beholder.judges.families import families
from beholder.judges.mean_rank import mean_rank

if TYPE_CHECKING:
    import pandas as pd

# Where, when and how: what a model may be good at one by one. Time-delay embeddings, string edits and alignments of
# saccades are of order by intent, though all of them see places, too.
FAMILIES = {
    "spatial": ("mannan",),
    "sequential": ("string_similarity", "stde", "multimatch", "scanmatch"),
    "dynamic": ("amplitude_divergence",),
}


def scanpath(dataset: Dataset[Picture, Lookers] | None = None, *, seconds: float = 0.0) -> Benchmark:
    """Does a model look as people look: at the same places, in the same order, with saccades like theirs?

    A model returns a scanpath: an array of n x 2 (x, y in px) or n x 3 (and durations in ms), a `Scanpath`, or a list
    of these, each of which is a repeat. A `dir:` model is a folder of tables (x, y, duration_ms) or arrays;
    `table:FILE` holds several models (model, stimulus, x, y). Turn a map
    model into scanpaths with --model "mine=wta_lif(of='dir:maps', on='mit1003:PATH')" or wta_argmax.

    Measures of places, in any order: Mannan's index. Of order: string edit on 5 x 5 cells with exchanges, normalised,
    STDE under both norms, MultiMatch without durations, ScanMatch. Of dynamics: the divergence of saccade amplitudes
    over chance, all pictures together. The verdict is Pareto dominance over these three families, each as a mean rank.
    The raw string edit is reported but not judged, because it mostly compares lengths.

    People are scored like models, one scanpath against those of all others, and the mean person is the ceiling. Blind
    models make as many fixations as people and look for as long; so do built-in models, or they look for `seconds`.
    Where people searched for a target, scores of those who found it, merged and cut as is usual in visual search, are
    reported but not judged.
    """
    shown = simulated() if dataset is None else of_people(dataset)
    viewing = viewing_time(shown, seconds)
    judged = (PLACES, *SEQUENTIAL, AMPLITUDES)
    return Benchmark(
        name="attention/scanpath",
        version=3,
        dataset=shown,
        measures=judged,
        judges=(partial(families, families=FAMILIES), mean_rank),
        criteria=(reduce_to_moves(),),
        unjudged=Unjudged((string_edit,), search_criteria(shown)),
        accept=path_files.accept_scanpaths,
        lineup=Lineup({**scanpath_models(shown.name, viewing), **recorded_models(shown)}, blind, people=PEOPLE),
        files=Files(path_files.SUFFIXES, path_files.read, path_files.write, files.show, table=path_tables.read),
        figures=Figures(
            draw,
            partial(overview, dataset=shown, official=tuple(card(of).label for of in judged), families=FAMILIES),
            views=side_by_side,
        ),
        hooks=Hooks(split=path_files.as_list, inform=partial(with_viewing_time, viewing=viewing)),
        about="A score is the mean over all pairs of a model's and a person's scanpath. People are scored like "
        "models: one scanpath of each person against those of all others, so the ceiling has the same size "
        "and nobody is compared with themselves. Divergences take one repeat at a time, one scanpath per "
        "picture, minus the mean divergence of as many draws from people's own distribution; below 50 "
        "saccades confidence is low. Blind models make as many fixations as people. Shuffled people are not "
        "blind to places, and the people of another picture are not blind to amplitudes, so they are left out "
        f"there. Models look for {viewing.seconds:g} s, or make {viewing.fixations} fixations, as people do "
        "here.",
    )


def _spatial_multimatch() -> Measure:
    """MultiMatch over its four dimensions of space: not every model says how long it fixates."""
    return fix(multimatch, {"duration": 0}, weights=Weights(duration=0.0))


# What people do on another picture, or in another order, is what people do where neither counts: not blind.
PLACES = not_applicable_to(
    mannan, Shuffled, ("these are people's own places, only in another order, so this is not a blind model here")
)
AMPLITUDES = not_applicable_to(
    amplitude_divergence,
    Elsewhere,
    ("people's saccades on another picture are like those here, so this is not a blind model here"),
)
SEQUENTIAL = (string_similarity, fix(stde, norm="k"), fix(stde, norm="rms"), _spatial_multimatch(), scanmatch)


def draw(sample: Sample[Picture, Lookers], answers: Mapping[str, Any]) -> Any:
    """People's scanpaths and the models', over the picture."""
    from beholder.attention.figures.paths import walks

    return walks(sample, answers)


def side_by_side(sample: Sample[Picture, Lookers], answers: Mapping[str, Any]) -> Views:
    """The picture, people's scanpaths, and each model's."""
    from beholder.attention.figures.views_of_paths import path_views

    return path_views(sample, answers)


def overview(scores: pd.DataFrame, readings: Readings, **how: Any) -> Mapping[str, Any]:
    """Pictures of the whole: scores, ranks, skill and movements."""
    from beholder.attention.figures.overview_paths import pictures_of

    return pictures_of(scores, readings, **how)
