"""FETV: three people rate the videos of four generators, beside what five metrics say of the same videos."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.core.cite import source
from beholder.core.sample import Dataset, remark
from beholder.errors import Misuse
from beholder.study.data.carried import carried
from beholder.study.datasets import _files
from beholder.study.ratings import Item, Opinion, Ratings, clean

DIMENSIONS = {"static": "static_quality", "temporal": "temporal_quality", "alignment": "alignment"}
SYSTEMS = {"damo-text2video": "modelscope-t2v"}  # people's files and metrics' files call it differently
REAL = "ground-truth"
ABOUT = (
    "Videos that four generators made from {prompts} of 619 prompts; three people rated each from 1 to 5 for its "
    "static quality, its temporal quality and its alignment with the prompt (finer ratings of alignment are left "
    "out); {count} real videos {role}. Numbers only: no prompts, no videos."
)


@source("Liu2023FETV")
def fetv(path: Path | None = None, *, real: bool = False, every: int = 1) -> Dataset[Item, Opinion]:
    """The ratings and metrics of FETV-EVAL: those that come with Beholder, or those of its folder.

    An item is generator/prompt, where the prompt is its place in the list; its group is the prompt. Dimensions: static,
    temporal, alignment. Raters: human0, human1, human2. `real` adds the real videos as a fifth system, called
    ground-truth. `every` takes only every second, third … prompt. damo-text2video is called modelscope-t2v, as in the
    metrics.
    """
    if every < 1:
        raise Misuse(f"got every={every}; expected 1 or more")
    held = _thin(carried("fetv") if path is None else numbers(path), every)
    here = [str(name) for name in held["systems"] if real or name != REAL]
    made = _ratings(held, here)
    count = int((held["ratings"][held["systems"] == REAL] > 0).any(axis=(2, 3)).sum())
    return made.dataset(
        "fetv",
        cite="Liu2023FETV",
        licence="CC BY 4.0",
        about=ABOUT.format(
            prompts=len(held["prompts"]),
            count=count,
            role="are the fifth system" if real else "are left out unless real=true",
        ),
    )


def _thin(held: Mapping[str, NDArray[Any]], every: int) -> dict[str, NDArray[Any]]:
    """Every so many-th prompt."""
    some = {"prompts": held["prompts"][::every], "ratings": held["ratings"][:, ::every]}
    return {**held, **some, "values": held["values"][:, :, ::every]}


def numbers(path: Path) -> dict[str, NDArray[Any]]:
    """A folder of FETV-EVAL as arrays: ratings system × prompt × dimension × rater, 0 for none, and metrics likewise.

    Reads manual_eval_results/RATER/manual_eval_results_SYSTEM.json (a line {prompt: {static_quality: …}} for each
    video) and auto_eval_results/METRIC/auto_eval_results_SYSTEM.json ({prompt: number}).
    """
    root = _files.folder(path, "the folder of FETV-EVAL, with manual_eval_results")
    rated = _files.found(root, "manual_eval_results/*/manual_eval_results_*.json", "the ratings of FETV-EVAL")
    said = sorted(root.glob("auto_eval_results/*/auto_eval_results_*.json"))
    opinions = {(file.parent.name, _system(file)): _opinions(file) for file in rated}
    scores = {(file.parent.name, _system(file)): _scores(file) for file in said}
    raters, systems = _names(who for who, _ in opinions), _names(name for _, name in opinions)
    metrics = _names(name for name, _ in scores)
    prompts = sorted({prompt for by in opinions.values() for prompt in by})
    place = {prompt: at for at, prompt in enumerate(prompts)}
    ratings = np.zeros((len(systems), len(prompts), len(DIMENSIONS), len(raters)), np.int8)
    for (who, name), rows in opinions.items():
        for prompt, given in rows.items():
            ratings[systems.index(name), place[prompt], :, raters.index(who)] = given
    values = np.full((len(metrics), len(systems), len(prompts)), np.nan)
    for (metric, name), numbers_of in scores.items():
        for prompt in place.keys() & numbers_of.keys() if name in systems else ():
            values[metrics.index(metric), systems.index(name), place[prompt]] = numbers_of[prompt]
    texts = {"systems": systems, "dimensions": list(DIMENSIONS), "raters": raters, "metrics": metrics}
    arrays = {name: np.array(words, dtype=np.str_) for name, words in texts.items()}
    return {**arrays, "prompts": np.array(prompts, np.int16), "ratings": ratings, "values": values}


def _ratings(held: Mapping[str, NDArray[Any]], systems: list[str]) -> Ratings:
    import pandas as pd

    names = [str(name) for name in held["systems"]]
    chosen = [names.index(name) for name in systems]
    given = held["ratings"][chosen]
    at = np.argwhere(given > 0)
    system, prompt = np.array(systems)[at[:, 0]], held["prompts"][at[:, 1]]
    table = pd.DataFrame(
        {
            "item": [_item(*pair) for pair in zip(system, prompt, strict=True)],
            "system": system,
            "group": [f"{index:03d}" for index in prompt],
            "dimension": held["dimensions"][at[:, 2]],
            "rater": held["raters"][at[:, 3]],
            "value": given[tuple(at.T)].astype(float),
        }
    )
    items = [_item(name, index) for name in systems for index in held["prompts"]]
    values = held["values"][:, chosen].reshape(len(held["metrics"]), -1).T
    columns = pd.DataFrame(values, index=items, columns=[str(name) for name in held["metrics"]])
    made = clean(table, columns)
    lacking = made.columns.index[made.columns.isna().any(axis=1)]
    remarks = (*made.remarks, *remark([str(id) for id in lacking], "item", "without the value of at least one metric"))
    return Ratings(made.table, made.columns, remarks=remarks)


def _item(system: str, prompt: int) -> str:
    return f"{system}/{prompt:03d}"


def _names(names: Iterable[str]) -> list[str]:
    return sorted(set(names))


def _system(file: Path) -> str:
    own = file.stem.partition("_results_")[2]
    return SYSTEMS.get(own, own)


def _opinions(file: Path) -> dict[int, list[int]]:
    """What one rater says of a system's videos: static, temporal, alignment by prompt."""
    rows: dict[int, list[int]] = {}
    for line in _files.read_lines(file):
        for prompt, given in line.items() if isinstance(line, dict) else ():
            if not prompt.isdecimal() or not isinstance(given, dict):
                raise Misuse(f"{file}: got {prompt!r}: {given!r}; expected the number of a prompt and its ratings")
            if int(prompt) in rows:
                raise Misuse(f"{file}: got the prompt {prompt} twice; expected each once")
            rows[int(prompt)] = [_rating(given.get(name), f"{file}, prompt {prompt}") for name in DIMENSIONS.values()]
    return rows


def _rating(value: Any, where: str) -> int:
    """A rating, 0 where there is none."""
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 5:
        raise Misuse(f"{where}: got the rating {value!r}; expected 1 … 5")
    return value


def _scores(file: Path) -> dict[int, float]:
    """What a metric says of a system's videos, by prompt."""
    return {int(prompt): float(value) for prompt, value in _files.read_mapping(file, "{prompt: number}").items()}
