"""Edges and silhouettes of objects: do people and networks name them right?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from beholder.core.cite import source
from beholder.core.sample import Dataset
from beholder.errors import Misuse
from beholder.io import table as tables
from beholder.study.datasets import _files
from beholder.study.ratings import Item, Opinion, clean

if TYPE_CHECKING:
    import pandas as pd

EXPERIMENTS = {"edges": "edge-experiment", "silhouettes": "silhouette-filled-experiment"}
STIMULI = {"edges": "edges", "silhouettes": "filled-silhouettes"}
PEOPLE = "subject-"
NETWORKS = {"resnet50-train-60-epochs": "resnet50_shape"}  # trained on stylised pictures
NEEDED = ("subj", "object_response", "category", "imagename")
ABOUT = (
    "Ten people name the objects in 160 edge drawings, and ten those in 160 filled silhouettes (16 categories). A "
    "value is 1 where the name is right; the networks' columns are coded in the same way."
)


@source("Geirhos2019")
def texture_shape(path: Path) -> Dataset[Item, Opinion]:
    """The folder of texture-vs-shape with raw-data, and the stimuli if you have them.

    An item is edges/NAME or silhouettes/NAME, where NAME is the last part of `imagename`; its group is the category,
    and its one dimension is the experiment. A rating is 1 if the person's category is right, otherwise 0, also for
    "na". Columns: 1 or 0 of each network. People in the two experiments are treated as different people.
    """
    rows = trials(path)
    people = rows[rows["person"]]
    if people.empty:
        raise Misuse(f"{path}: got no trial by a person (names that begin with {PEOPLE!r}); expected at least one")
    table = people.rename(columns={"category": "group", "experiment": "dimension", "observer": "rater"}).assign(
        value=people["correct"], rater=people["experiment"] + "-" + people["observer"].str.removeprefix(PEOPLE)
    )
    networks = rows[~rows["person"]].pivot_table(index="item", columns="observer", values="correct")
    places = {
        str(id): path / "stimuli" / STIMULI[str(kind)] / str(category) / f"{str(id).partition('/')[2]}.png"
        for id, kind, category in people[["item", "experiment", "category"]].drop_duplicates().itertuples(index=False)
    }
    media = {id: place for id, place in places.items() if place.is_file()}
    return clean(table, networks, media=media).dataset(
        "texture_shape", cite="Geirhos2019", licence="CC BY 4.0 (stimuli); none stated for the answers", about=ABOUT
    )


def trials(path: Path) -> pd.DataFrame:
    """Every trial of people and networks: experiment, observer, person, item, category, response, correct."""
    import pandas as pd

    root = _files.folder(path, "the folder of texture-vs-shape, with raw-data")
    read = [
        _trials(file, kind)
        for kind, name in EXPERIMENTS.items()
        for file in _files.found(root, f"raw-data/{name}*/*.csv", f"the trials of {name}")
    ]
    return pd.concat(read, ignore_index=True)


def _trials(file: Path, experiment: str) -> pd.DataFrame:
    """The trials of one file."""
    import pandas as pd

    rows = tables.read(file, None)
    if lacking := [name for name in NEEDED if name not in rows]:
        raise Misuse(f"{file}: no column called {lacking[0]}; expected {', '.join(NEEDED)}")
    rows = rows.fillna("")
    names = rows["imagename"].str.rpartition("_")[2].str.removesuffix(".png")
    return pd.DataFrame(
        {
            "experiment": experiment,
            "observer": rows["subj"].replace(NETWORKS),
            "person": rows["subj"].str.startswith(PEOPLE),
            "item": experiment + "/" + names,
            "category": rows["category"],
            "response": rows["object_response"],
            "correct": (rows["object_response"] == rows["category"]).astype(float),
        }
    )
