"""The runs behind Zanca et al. (2020): every model as a map and as a path, on the same pictures.

Scanpaths become maps by `visits`, maps become scanpaths by winner-take-all. Two runs, of attention/saliency and of
attention/scanpath with the measures of the paper; `zanca_table_1` joins them.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from beholder.attention.benchmarks.saliency import map_models, saliency
from beholder.attention.benchmarks.scanpath import scanpath
from beholder.attention.gaze.saccades import Moves, PeopleMoves, model_moves, people_moves
from beholder.attention.measures.auc import auc
from beholder.attention.measures.dynamics import amplitude_divergence
from beholder.attention.measures.nss import nss
from beholder.attention.measures.string_edit import string_edit
from beholder.attention.measures.time_delay import stde
from beholder.attention.models.visits import visits
from beholder.attention.models.wta_argmax import wta_argmax
from beholder.attention.models.wta_lif import wta_lif
from beholder.attention.paths.viewing_time import ViewingTime, scanpath_models, viewing_time, with_viewing_time
from beholder.attention.people.ceiling import observers, only, without
from beholder.attention.types import Lookers, Picture
from beholder.claims.recordings import smooth
from beholder.core.benchmark import Benchmark, Figures, Model, People, Unjudged
from beholder.core.measure import NotApplicable, fix, measure
from beholder.core.sample import Dataset
from beholder.evaluation.run import run

if TYPE_CHECKING:
    import pandas as pd

WALKERS = ("wta_argmax", "wta_lif")  # that have no map of their own
FIRING = ("itti",)  # maps that the network of spiking units walks over, too: it is slow, and the pair of the paper
REPEATS = 10  # scanpaths per picture, as many as `beholder run` asks for: averaged before pictures are compared
PILED = 10  # scanpaths that make a map


class MapsAndPaths(NamedTuple):
    """The scores of two runs on the same pictures."""

    maps: pd.DataFrame
    paths: pd.DataFrame
    viewing: ViewingTime  # how long models looked


def run_maps_and_paths(dataset: Dataset[Picture, Lookers], *, seed: int = 0) -> MapsAndPaths:
    """Run all built-in models on a dataset as maps and as paths, with people and blind models."""
    looked = viewing_time(dataset)
    maps = run(map_bench(dataset, looked), seed=seed, repeats=1, jobs=0)
    return MapsAndPaths(maps, run(path_bench(dataset, looked), seed=seed, repeats=REPEATS, jobs=0), looked)


def map_bench(dataset: Dataset[Picture, Lookers], looked: ViewingTime) -> Benchmark:
    """attention/saliency with AUC and NSS; people are the others' fixations, blurred by one degree."""
    paths = {name: model for name, model in scanpath_models(dataset.name, looked).items() if name not in WALKERS}
    piled: dict[str, Model] = {
        f"visits(of={name})": partial(visits, of=of, observers=PILED) for name, of in paths.items()
    }
    base = saliency(dataset, parts=False)
    people = People(observers, without, only, smooth)
    return replace(
        base,
        measures=(auc, nss),
        unjudged=Unjudged(),
        lineup=base.lineup._replace(baselines=map_models(dataset.name) | piled, people=people),
        figures=Figures(),
    )


def path_bench(dataset: Dataset[Picture, Lookers], looked: ViewingTime) -> Benchmark:
    """attention/scanpath with the paper's string edit, both norms of STDE, and the raw divergence of amplitudes."""
    own = {name: model for name, model in scanpath_models(dataset.name, looked).items() if name not in WALKERS}
    maps = map_models(dataset.name)
    walked = {
        f"wta_argmax(of={name})": with_viewing_time(partial(wta_argmax, of=of), looked) for name, of in maps.items()
    }
    fired = {
        f"wta_lif(of={name})": with_viewing_time(partial(wta_lif, of=maps[name]), looked)
        for name in FIRING
        if name in maps
    }
    base = scanpath(dataset)
    return replace(
        base,
        measures=(string_edit, fix(stde, norm="k"), fix(stde, norm="rms"), fix(amplitude_divergence, excess=False)),
        unjudged=base.unjudged._replace(measures=(reach,)),
        lineup=base.lineup._replace(baselines=own | walked | fired),
        figures=Figures(),
    )


@measure(better="lower", bounds=(0, np.inf), cite="Zanca2020", reads=model_moves, unit="%")
def reach(found: Moves, lookers: Lookers | PeopleMoves) -> float:
    """The mean amplitude of saccades, in per cent of the picture's diagonal: neither good nor bad.

    100 × mean |Δ|/√(H² + W²). A model without a saccade has none.

    >>> from beholder.attention.gaze.saccades import moves
    >>> from beholder.attention.types import scanpath
    >>> reach(moves([scanpath([0, 3, 3], [0, 4, 4])]), Lookers({}, (6, 8)))
    25.0
    """
    if not found.saccades:
        raise NotApplicable("the model made no saccade")
    return float(100 * found.amplitude_px.mean() / people_moves(lookers).diagonal)
