"""A model of maps as one of densities, for models of yours."""

from __future__ import annotations

from functools import cache

from beholder.attention.maps.densities import Fitted
from beholder.attention.models._recalled import RecalledAnswers
from beholder.attention.types import Density, Lookers, Picture
from beholder.core.benchmark import Recorded
from beholder.core.cite import source
from beholder.core.sample import Dataset
from beholder.errors import Misuse
from beholder.registry.load import dataset as opened_dataset
from beholder.registry.load import load
from beholder.registry.models import model
from beholder.registry.trained_on import refuse_trained


@source("Kummerer2018", family="plug", needs="a model and a dataset")
def fitted(picture: Picture, *, of: str = "", on: str = "") -> Density:
    """Turns a model's maps into densities: fitted(of='dir:maps', on='mit1003:PATH').

    `of` is any model as --model takes it, `on` a dataset as --dataset takes it. A blur, a monotone nonlinearity and a
    centre bias are fitted on up to twelve pictures of the dataset, never on the picture being scored (see
    `densities.Fitted`). For a folder of maps, every picture must be in that dataset. A model that was trained on the
    dataset is refused.
    """
    if not of or not on:
        raise Misuse(
            f"fitted got of={of!r}, on={on!r}; expected a model and a dataset: fitted(of='dir:maps', on='osie:PATH')"
        )
    return _opened(of, on)(picture)


@cache
def _opened(of: str, on: str) -> Fitted:
    dataset: Dataset[Picture, Lookers] = opened_dataset("attention.datasets", on)
    bench = load("attention/saliency", dataset=dataset)
    found = model(of, bench)
    if isinstance(found, Recorded):
        return Fitted(RecalledAnswers(found, dataset, bench.files), dataset)
    opened = found.function(bench.files)
    refuse_trained(of, opened, dataset.name)
    return Fitted(opened, dataset)
