"""The words that judges share: what a verdict is about, and what must be said of few units. Nothing here decides."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from beholder.core.measure import label
from beholder.core.verdict import Note, Verdict
from beholder.errors import listed
from beholder.stats import best_set
from beholder.verdicts.components import Components
from beholder.verdicts.layout import Layout

FEW = 5  # units below which a dataset is small: Middlebury's second table had four, and methods were tuned to them


def note_small(lay: Layout) -> tuple[Note, ...]:
    """A warning where a verdict rests on very few units."""
    units = len(lay.strata)
    if units >= FEW:
        return ()
    text = f"only {units} unit{'s' * (units != 1)}: a dataset this small can favour a model by chance or by tuning"
    return (Note("small", text, numbers={"units": units}),)


def note_fewer_draws(draws: int, wanted: int) -> tuple[Note, ...]:
    """A note where shares of draws rest on fewer draws than were asked for."""
    text = f"with this many models, shares of draws rest on {draws} draws instead of {wanted}"
    return (Note("draws", text, numbers={"draws": draws, "wanted": wanted}),) if draws < wanted else ()


def note_once(so: str, cells: list[str]) -> tuple[Note, ...]:
    """A note on what was measured once, and so …, if there is such."""
    text = f"measured once over the whole dataset, and {so}: {listed(cells)}"
    return (Note("once", text, about=tuple(cells)),) if cells else ()


NO_MODEL = (
    "the table has no scores of models; add one with --model NAME. Clips are judged with --model NAME=dir:FOLDER, "
    "and a table of ratings needs a column with a measure: a number for each item"
)


def nobody(method: str, found: Components) -> Verdict | None:
    """The verdict where there is nobody or nothing to judge, else None."""
    import pandas as pd

    if found.values.size:
        return None
    if len(found.values):
        why = "no component applies to all models: " + listed(found.values.index)
    else:
        why = "; ".join(f"{model}: {reason}" for model, reason in found.left_out.items())
    finding = f"no model could be judged: {why or NO_MODEL}"
    standing = pd.DataFrame(index=pd.Index([], name="model"))
    return Verdict(method, (), standing, finding, left_out=found.left_out, notes=found.notes)


def scope(found: Components) -> str:
    """What a verdict is relative to besides the models: measures, criteria, units and datasets."""
    frame = found.values.columns.to_frame(index=False)
    measures = [
        _with_criteria(label(str(measure), str(settings)), list(own.unique()))
        for (measure, settings), own in frame.groupby(["measure", "settings"], sort=False)["criterion"]
    ]
    return f"{listed(measures)} {extent(found)}"


def _with_criteria(measure: str, criteria: list[str]) -> str:
    return measure if criteria == ["all"] else f"{measure} ({', '.join(criteria)})"


def extent(found: Components) -> str:
    """Over how many units of what datasets; the whole dataset (*) is none, and named where there are no others."""
    frame = found.values.columns.to_frame(index=False)
    each = frame[["dataset", "unit"]].drop_duplicates()
    units = int((each["unit"] != "*").sum())
    count = f"{units} unit{'s' * (units != 1)}" if units else "all"
    return f"over {count} of {listed(frame['dataset'].unique())}"


class Lead(NamedTuple):
    """Who leads some models, and who is not significantly worse."""

    best: tuple[str, ...]
    tied: tuple[str, ...]
    models: int
    untested: str  # why differences were not tested, or nothing


def best_of(method: str, lead: Lead, number: str, where: str) -> str:
    """Who leads some models by one number, and who is not significantly worse: the answer first.

    A judge says who leads; only the trust line, which knows of the blind models, calls a model best.
    """
    best, tied, models, untested = lead
    on = f"{number}, on {where}"
    if models == 1:
        return f"{best[0]} is the only model judged, so there is nothing to compare; its {method} is {on}"
    if len(best) == models:
        return f"no winner: all {models} models have the same {method}, {on}"
    found = f"{listed(best)} lead{'s' * (len(best) == 1)} the {models} models by {method}, {on}"
    if untested:
        return f"{found}; {untested}"
    if not tied:
        return f"{found}; {'the other is' if models == 2 else 'all others are'} significantly worse"
    among = len(best) + len(tied)
    of = f"{among} models" if among == models else f"{among} of {models} models"
    is_ = "is" if len(best) == 1 else "are"
    return f"no clear winner among {of}: {found}, but {is_} not significantly better than {listed(tied)}"


def too_few(units: int, least: int = best_set.LEAST) -> str:
    """Why differences over so many units cannot be tested; nothing where they can."""
    if units < 2:
        return "measures were taken once over all samples, so the differences cannot be tested"
    few = f"{units} units are too few to test the differences ({least} are needed)"
    return few if units < least else ""


def only_model(model: str, where: str) -> str:
    """What is said where there is one model only."""
    return f"{model} is the only model judged on {where}, so there is nothing to compare"


def cell(measure: str, settings: str, criterion: str) -> str:
    """What a measure × criterion is called in a sentence.

    >>> cell("bad_pixels", "delta=2", "disc"), cell("nss", "", "all")
    ('bad_pixels(delta=2) (disc)', 'nss')
    """
    name = label(measure, settings)
    return name if criterion == "all" else f"{name} ({criterion})"


def with_interval(value: float, lo: float, hi: float) -> str:
    """A number with its interval, where it has one.

    >>> with_interval(5.8333, 5.0, 6.5), with_interval(0.5, float("nan"), float("nan"))
    ('5.833 [5, 6.5]', '0.5')
    """
    return f"{value:.4g}" if np.isnan([lo, hi]).any() else f"{value:.4g} [{lo:.4g}, {hi:.4g}]"


def sentence(text: str) -> str:
    """A text with a capital and a full stop."""
    line = text.strip()
    return line[0].upper() + line[1:] + ("" if line[-1] in ".!?…" else ".") if line else ""
