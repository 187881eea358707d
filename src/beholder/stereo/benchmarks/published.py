"""stereo/published: Middlebury's second table, judged anew from the numbers that were published."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from beholder.core.benchmark import Benchmark, Criterion, Files, Lineup, Recorded
from beholder.core.cite import source
from beholder.core.sample import Dataset
from beholder.core.scores import JUDGED
from beholder.core.verdict import Verdict
from beholder.errors import Misuse
from beholder.io.atomic import whole_file
from beholder.io.bounds import LARGEST, check_text
from beholder.judges.mean_rank import mean_rank
from beholder.judges.pareto import pareto
from beholder.stats.ranks import Ties
from beholder.stereo.datasets.published import published as scenes
from beholder.stereo.measures.published import published_bad_pixels
from beholder.stereo.published import REGIONS, SCENES, Figures, figure_in, figures, rows

if TYPE_CHECKING:
    import pandas as pd

# Disparities among which the algorithms had to choose, in the order of the scenes.
RANGES = (16, 32, 64, 64)


def published(dataset: Dataset[None, None] | None = None, *, regions: str = "nonocc,all,disc") -> Benchmark:
    """Bad pixels of the algorithms in Middlebury's second table, as published; no algorithm is run.

    Every number has a status: "verified" ones were read in a paper; the others are from memory, and `--status verified`
    leaves them out. A row that was read only in part counts as from memory in every scene. Pareto dominance compares
    incomplete rows on the numbers that both have; the mean rank leaves them out. `regions` selects from the three:
    "nonocc,disc" is the semi-dense scenario of Cabezas & Trujillo (2011), and with `--family local` their third one. A
    `dir:` model is a folder of tsukuba.json … with {"nonocc": …, "all": …, "disc": …}, in per cent.
    """
    chosen = [word.strip() for word in regions.split(",")]
    if unknown := [word for word in chosen if word not in REGIONS]:
        raise Misuse(f"got the region {unknown[0]!r}; expected some of {', '.join(REGIONS)}")
    return Benchmark(
        name="stereo/published",
        version=1,
        dataset=scenes() if dataset is None else dataset,
        measures=(published_bad_pixels,),
        judges=(partial(pareto, over="units", missing="common"), average_rank),
        criteria=tuple(Criterion(name, partial(figure_in, region=name)) for name in chosen),
        accept=figures,
        lineup=Lineup(rows(), blind),
        files=Files((".json",), read, write),
        about="Middlebury's second stereo table: published percentages of bad pixels, each with its status.",
    )


@source("Scharstein2002")
def average_rank(scores: pd.DataFrame, *, ties: Ties = "average") -> Verdict:
    """Order the complete rows by their mean rank, as Middlebury's table does; incomplete ones are left out by name.

    `mean_rank` itself would rather drop, for all, the numbers that one row lacks. Numbers are printed to two or three
    digits, and were not equal on the server where they are in print: by default they share the mean of their places.
    """
    lacking = scores[scores["role"].isin(JUDGED) & (scores["state"] == "na")].groupby("model", sort=False).size()
    found = mean_rank(scores[~scores["model"].isin(lacking.index)], ties=ties)
    gone = {str(model): f"{many} of its numbers are unknown" for model, many in lacking.items()}
    return found._replace(left_out={**found.left_out, **gone})


def blind(dataset: Dataset[Any, Any]) -> Mapping[str, Recorded]:
    """What guessing scores: any whole disparity of the range, right within ±1 px in 3 of D cases."""
    chance = {scene: 100 * (1 - 3 / many) for scene, many in zip(SCENES, RANGES, strict=True)}
    status = dict.fromkeys(REGIONS, "derived")
    return {"chance": Recorded({scene: Figures(dict.fromkeys(REGIONS, b), status) for scene, b in chance.items()})}


def read(path: Path, *, limit: int = LARGEST) -> Any:
    """Numbers from a file: regions and per cents, null where they are not known."""
    check_text(path, limit)
    try:
        return json.loads(path.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f'{path}: got no JSON ({error}); expected {{"nonocc": 1.5, "all": 2, "disc": 7}}') from error


def write(answer: Figures, path: Path) -> None:
    """Put numbers into a file that `read` reads."""
    known = {region: None if math.isnan(value) else value for region, value in answer.values.items()}
    with whole_file(path) as file:
        file.write((json.dumps(known) + "\n").encode())
