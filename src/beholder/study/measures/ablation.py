"""What is left of a combination of measures when one of them is left out, and what each adds in turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from beholder.core.measure import NotApplicable, Result, measure
from beholder.stats import rank_correlation
from beholder.study.combinations import Combination
from beholder.study.measures.alignment import Pairs
from beholder.study.ratings import Judged


@measure(better="higher", bounds=(-1, 1), cite="Ling2025", per="dataset")
def ablation(
    observed: Sequence[Combination], opinions: Sequence[Judged], *, by: Literal["preference", "spearman"] = "preference"
) -> Result:
    """The agreement of a combination with people; parts: without each measure, and with one more of them at a time.

    `by` preference accuracy or Spearman's ρ. A measure pays where the combination is worse without it; one that makes
    it better by its absence harms. `up_to` takes the measures in the order of the table.
    """
    if not all(isinstance(one, Combination) for one in observed):
        raise NotApplicable("this is one measure; only a combination has others to leave out")
    parts = {f"without {name}": [one.without[name] for one in observed] for name in observed[0].without}
    parts |= {f"up_to {name}": [one.up_to[name] for one in observed] for name in observed[0].up_to}
    value = agreement([one.value for one in observed], opinions, by)
    return Result(value, {name: agreement(values, opinions, by) for name, values in parts.items()})


def agreement(said: Sequence[float], opinions: Sequence[Judged], by: Literal["preference", "spearman"]) -> float:
    """How far numbers agree with people; NaN where that is undefined."""
    if by == "preference":
        return float(Pairs(said, opinions).accuracy()[0])
    people = np.array([opinion.mean for opinion in opinions])
    return float(rank_correlation.spearman(np.asarray(said, float), people)[0])
