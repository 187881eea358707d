"""Samples to be looked through: what was shown, what people or the truth say, and what two models make of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from beholder.core.measure import SETTLED, label
from beholder.core.scores import CELL, JUDGED, numbered, whole
from beholder.evaluation.record import official
from beholder.reports._facts import Picture, pictures
from beholder.reports._films import Link, Player, players
from beholder.reports._numbers import decimals
from beholder.store.paths import slug
from beholder.verdicts.wording import cell

if TYPE_CHECKING:
    import pandas as pd

    from beholder.evaluation.drawn import Drawn
    from beholder.evaluation.sections import Section
    from beholder.evaluation.views import ViewFacts

MEASURES = 12  # by which samples can be sorted, the first judged ones
DIGITS = 5  # significant ones of a score: a page shows fewer


class Item(NamedTuple):
    """One sample: what stands on the page whether a script runs or not."""

    name: str
    sheet: str  # the address of the picture of all models
    alt: str
    players: tuple[Player, ...]


class _Sample(NamedTuple):
    """A drawn sample, and where its scores stand."""

    picture: Picture
    record: Drawn
    dataset: str
    unit: str


def samples(section: Section, link: Link) -> dict[str, Any] | None:
    """What the template shows of a section's drawn samples: items, and data for the script; None where there are none.

    Every address in it was given by `link`, from a path relative to the page.
    """
    drawn = [_sample(section, picture) for picture in pictures(section) if not picture.whole]
    if not drawn:
        return None
    scores = _scores(section, drawn)
    models = _models(section, drawn, scores)
    items = [_item(one, link) for one in drawn]
    kinds: dict[tuple[Any, ...], int] = {}
    data = {
        "models": models,
        "measures": _measures(scores),
        "samples": [_shown(one, models, scores, kinds, link) for one in drawn],
        "kinds": [dict(zip(("title", "alt", "legend", "over", "faint"), kind, strict=True)) for kind in kinds],
        **_chosen(section, models, drawn),
    }
    return {"items": items, "data": data, "films": next((one.players[0] for one in items if one.players), None)}


def _sample(section: Section, picture: Picture) -> _Sample:
    file = PurePosixPath(picture.path)
    record = section.drawn.get(str(file.with_suffix("")), {})
    named = {slug(name): name for name in section.scores["dataset"].unique()}
    dataset = named.get(file.parent.name, "" if len(named) != 1 else next(iter(named.values())))
    units = section.scores.loc[section.scores["dataset"] == dataset, "unit"].unique()
    known = record.get("id") or next((str(unit) for unit in units if slug(str(unit)) == file.stem), file.stem)
    name = f"{dataset}/{known}" if len(named) > 1 and dataset else known
    return _Sample(picture._replace(name=name), record, dataset, known)


def _item(one: _Sample, link: Link) -> Item:
    place = PurePosixPath(one.picture.path).parent
    films = players(one.record.get("films", []), place, link)
    return Item(one.picture.name, link(one.picture.path), one.picture.alt, films)


def _scores(section: Section, drawn: Sequence[_Sample]) -> pd.DataFrame:
    """The mean score of each model on each drawn sample, by the judged measures that are taken of samples."""
    units = [(one.dataset, one.unit) for one in drawn]
    near = section.scores[section.scores["unit"].isin([unit for _, unit in units])]  # of a table that may be large
    judged = whole(official(near, section.facts) if section.facts["official"] else near)
    here = judged.set_index(["dataset", "unit"]).index.isin(units) & judged["state"].isin(SETTLED)
    rows = judged[here & (judged["role"] != "person")]
    keys = [*CELL, "better", "dataset", "unit", "model", "role"]
    finite = rows[np.isfinite(rows["value"])]
    found: pd.DataFrame = finite.groupby(keys, sort=False)["value"].mean().reset_index()
    return found


def _cells(scores: pd.DataFrame) -> list[tuple[Any, ...]]:
    return list(scores[[*CELL, "better"]].drop_duplicates().itertuples(index=False, name=None))[:MEASURES]


def _measures(scores: pd.DataFrame) -> list[dict[str, Any]]:
    found, several = [], scores["criterion"].nunique() > 1
    for measure, settings, criterion, better in _cells(scores):
        own = _of_cell(scores, (measure, settings, criterion))["value"]
        of = label(measure, settings)
        name = f"{of} ({criterion})" if several else cell(measure, settings, criterion)
        found.append({"name": name, "of": of, "better": better, "digits": min(decimals(own), _enough(own))})
    return found


def _enough(values: pd.Series[float]) -> int:
    """Digits after the point for four significant ones of the median: more would be read by nobody."""
    size = float(values.abs().median()) or 1.0
    return min(max(3 - int(np.floor(np.log10(size))), 0), 4)


def _of_cell(scores: pd.DataFrame, key: Sequence[str]) -> pd.DataFrame:
    return scores[(scores[CELL] == list(key)).all(axis=1)]


def _models(section: Section, drawn: Sequence[_Sample], scores: pd.DataFrame) -> list[dict[str, Any]]:
    """Everybody who is shown or has a score, the user's own first, then as the judge ranks them."""
    roles: dict[str, str] = dict(numbered(section.scores, ["model", "role"])[0])
    shown = [name for one in drawn for name in _seen(one.record)]
    names = dict.fromkeys((*_ranked(section), *scores["model"], *shown))
    order = sorted(names, key=lambda name: (roles.get(name) != "model", roles.get(name, "") not in JUDGED))
    held = {*shown, *scores["model"]}
    return [{"name": name, "role": roles.get(name, ""), "seen": name in shown} for name in order if name in held]


def _ranked(section: Section) -> list[str]:
    return [str(name) for name in section.verdicts[0].standing.index] if section.verdicts else []


def _seen(record: Drawn) -> Iterable[str]:
    """Whose answers can be looked at one by one."""
    yield from (film["model"] for film in record.get("films", []))
    views = record.get("views")
    yield from (own["model"] for own in views["models"]) if views else ()


def _chosen(section: Section, models: Sequence[Mapping[str, Any]], drawn: Sequence[_Sample]) -> dict[str, int | None]:
    """Whom to show first: the user's own model, else the leader; and beside it the best of the others."""
    seen = {one["name"]: at for at, one in enumerate(models) if one["seen"]}
    mine = [name for name in seen if models[seen[name]]["role"] == "model"]
    ranked = [name for name in _ranked(section) if name in seen]
    first = next(iter([*mine, *ranked, *seen]), None)
    second = next((name for name in [*ranked, *seen] if name != first), None)
    return {"a": None if first is None else seen[first], "b": None if second is None else seen[second]}


def _shown(
    one: _Sample,
    models: Sequence[Mapping[str, Any]],
    scores: pd.DataFrame,
    kinds: dict[tuple[Any, ...], int],
    link: Link,
) -> dict[str, Any]:
    """The views and scores of one sample; addresses are what follows their common beginning."""
    place, views = PurePosixPath(one.picture.path).parent, one.record.get("views")
    numbers = {model["name"]: at for at, model in enumerate(models)}

    def rows(own: Sequence[ViewFacts]) -> list[list[Any]]:
        return [_row(view, place, kinds, link) for view in own]

    shared = rows(views["shared"]) if views else []
    models_own = {numbers[own["model"]]: rows(own["views"]) for own in views["models"]} if views else {}
    every = [row for several in (shared, *models_own.values()) for row in several]
    base = _beginning([address for row in every for address in row[3:]])
    for row in every:
        row[3:] = [address[len(base) :] for address in row[3:]]
    return {
        "base": base,
        "shared": shared,
        "own": models_own,
        "scores": _values(one, numbers, scores),
        "note": views.get("note", "") if views else "",
        "fault": one.record.get("fault", ""),
    }


def _beginning(texts: Sequence[str]) -> str:
    """What all of these begin with.

    >>> _beginning(["figures/a/0.webp", "figures/a/1.svg"])
    'figures/a/'
    """
    low, high = min(texts, default=""), max(texts, default="")
    same = next((at for at, (one, other) in enumerate(zip(low, high, strict=False)) if one != other), len(low))
    return low[:same]


def _row(view: ViewFacts, place: PurePosixPath, kinds: dict[tuple[Any, ...], int], link: Link) -> list[Any]:
    """A view as the script reads it: its kind, height, width, address, and that of its poster if it plays."""
    kind = view["title"], view["alt"], view["legend"], view["over"], view["faint"]
    high, wide = view["shape"] if len(view["shape"]) == 2 else (0, 0)
    files = [link(str(place / file)) for file in (view["file"], view["poster"]) if file]
    return [kinds.setdefault(kind, len(kinds)), high, wide, *files]


def _values(one: _Sample, numbers: Mapping[str, int], scores: pd.DataFrame) -> list[dict[int, float]]:
    """Each model's score on a sample, measure by measure."""
    own = scores[(scores["dataset"] == one.dataset) & (scores["unit"] == one.unit)]
    return [
        {
            numbers[name]: float(f"{value:.{DIGITS}g}")
            for name, value in _of_cell(own, key[:3])[["model", "value"]].itertuples(index=False, name=None)
        }
        for key in _cells(scores)
    ]
