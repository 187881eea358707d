"""Bluebirds and ducks: many workers say of each photograph whether the bird is there."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from beholder.core.cite import source
from beholder.core.sample import Dataset
from beholder.errors import Misuse
from beholder.study.data.carried import carried
from beholder.study.datasets import _files
from beholder.study.ratings import Item, Opinion, clean

DUCKS = ("Mallard", "American Black Duck")  # of classes.yaml; goose, grebe and no bird are none
ABOUT = {
    "bluebirds": "39 workers each label all 108 photographs: does it show the kind of bird asked for (1) or not (0)?",
    "ducks": "40 of 53 workers label each of 240 photographs: does it show a duck (1) or not (0)?",
}
NONE = -1  # a label that was not given


@source("Welinder2010")
def bluebirds(
    path: Path | None = None, *, which: Literal["bluebirds", "ducks"] = "bluebirds"
) -> Dataset[Item, Opinion]:
    """Workers' labels of photographs, 1 or 0: those that come with Beholder, or those of a folder.

    The folder holds bluebirds/labels.yaml and gt.yaml, or ducks/labels.txt and classes.yaml. The only column is the
    truth: 1 where the bird is shown. There are neither systems nor groups; the dimension is `which`.
    """
    import pandas as pd

    if which not in ABOUT:
        raise Misuse(f"got which={which!r}; expected bluebirds or ducks")
    held = carried("bluebirds") if path is None else numbers(path, (which,))
    images, workers, labels = (held[f"{which}_{part}"] for part in ("images", "workers", "labels"))
    at = np.argwhere(labels != NONE)
    table = pd.DataFrame(
        {
            "item": images[at[:, 0]].astype(str),
            "dimension": which,
            "rater": workers[at[:, 1]].astype(str),
            "value": labels[tuple(at.T)].astype(float),
        }
    )
    truth = pd.DataFrame({"truth": held[f"{which}_truth"].astype(float)}, index=images.astype(str))
    return clean(table, truth).dataset(which, cite="Welinder2010", licence="Clear-BSD", about=ABOUT[which])


def numbers(path: Path, wanted: Sequence[str] = tuple(ABOUT)) -> dict[str, NDArray[Any]]:
    """The tables of a folder as arrays: images, workers, labels image × worker (-1: none), truth of each image."""
    root = _files.folder(path, "the folder with bluebirds/ and ducks/")
    readers = {"bluebirds": _bluebirds, "ducks": _ducks}
    return {f"{which}_{name}": array for which in wanted for name, array in readers[which](root / which).items()}


def _bluebirds(root: Path) -> dict[str, NDArray[Any]]:
    true = _maps(root / "gt.yaml").get("", {})
    said = _maps(root / "labels.yaml")
    labels = {(image, who): _flag(word, root) for who, by in said.items() for image, word in by.items()}
    return _arrays(labels, {image: _flag(word, root) for image, word in true.items()}, root)


def _ducks(root: Path) -> dict[str, NDArray[Any]]:
    """Ducks by the numbers of labels.txt."""
    file = root / "labels.txt"
    if not file.is_file():
        raise Misuse(f"got {root} without {file.name}; expected lines of image, worker and label")
    rows = [line.split() for line in file.read_text("utf-8").splitlines() if line.strip()]
    if not rows or any(len(row) != 3 for row in rows) or int(rows[0][2]) != len(rows) - 1:
        raise Misuse(f"{file}: got {len(rows) - 1} labels; expected 'images workers labels', then that many lines")
    classes = _maps(root / "classes.yaml")
    ducks = {number for name, number in classes.get("species", {}).items() if name in DUCKS}
    true = {image: int(kind in ducks) for image, kind in classes.get("labels", {}).items()}
    return _arrays({(image, who): _flag(word, root) for image, who, word in rows[1:]}, true, root)


def _arrays(labels: Mapping[tuple[str, str], int], true: Mapping[str, int], root: Path) -> dict[str, NDArray[Any]]:
    images = sorted({image for image, _ in labels}, key=int)
    workers = sorted({who for _, who in labels}, key=int)
    if lacking := [image for image in images if image not in true]:
        raise Misuse(f"{root}: got labels but no truth for image {lacking[0]}; expected both")
    grid = np.full((len(images), len(workers)), NONE, np.int8)
    rows, columns = ({name: at for at, name in enumerate(names)} for names in (images, workers))
    for (image, who), label in labels.items():
        grid[rows[image], columns[who]] = label
    return {
        "images": np.array(images, np.int32),
        "workers": np.array(workers, np.int32),
        "labels": grid,
        "truth": np.array([true[image] for image in images], np.int8),
    }


def _flag(word: str, root: Path) -> int:
    known = {"true": 1, "false": 0, "1": 1, "0": 0}
    if word not in known:
        raise Misuse(f"{root}: got the label {word!r}; expected true or false")
    return known[word]


def _maps(file: Path) -> dict[str, dict[str, str]]:
    """The maps `name: {key: word, …}` of a YAML file that holds nothing else; one without a name has the name ''."""
    if not file.is_file():
        raise Misuse(f"got {file.parent} without {file.name}; expected the labels and the truth")
    found = re.findall(r"(?:([^\s{},:][^{},:]*):\s*)?\{([^{}]*)\}", file.read_text("utf-8"))
    if not found:
        raise Misuse(f"{file}: got no mapping; expected {{image: true, …}}")
    return {name: dict(re.findall(r"([^\s,:][^,:]*):\s*([^\s,]+)", inside)) for name, inside in found}
