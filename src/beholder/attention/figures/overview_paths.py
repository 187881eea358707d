"""Pictures of a whole run on scanpaths: how eyes move, how models rank, and their skill."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from beholder.attention.figures import moves
from beholder.attention.figures.moves import Crowd, Movers
from beholder.attention.figures.overview import dots
from beholder.attention.figures.skill import families_of, rank_table, skills
from beholder.attention.gaze.saccades import Moves, PeopleMoves, people_moves
from beholder.attention.types import Lookers, Picture
from beholder.core.sample import Dataset
from beholder.core.scores import JUDGED, labels
from beholder.judges.nemenyi import nemenyi
from beholder.verdicts.drawing import draw_critical_difference

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from beholder.core.benchmark import Readings

MOST = 200  # pictures that are read for the band of observers: more change no line
DRAWN = (*JUDGED, "oracle", "blind")


def pictures_of(
    scores: pd.DataFrame,
    readings: Readings,
    *,
    dataset: Dataset[Picture, Lookers],
    official: Sequence[str],
    families: Mapping[str, Sequence[str]] | None = None,
) -> dict[str, Figure]:
    """Scores, ranks and skill, and where movements were read, their distributions beside those of people.

    `families` says to which family (spatial, sequential, dynamic) a measure belongs, by its name; with it models are
    also drawn between families. What cannot be drawn here, such as skill without people, is left away.
    """
    whole = scores[(scores["criterion"] == "all") & (scores["part"] == "")]
    judged = whole[labels(whole).isin(list(official))]
    found: dict[str, Figure | None] = {
        "scores": dots(scores, official),
        "skill": skills(judged),
        "ranks_by_measure": rank_table(judged),
        "mean_ranks": ranks(judged),
        "families": families_of(judged, families or {}),
        **movements(scores, readings, dataset),
    }
    return {name: figure for name, figure in found.items() if figure is not None}


def ranks(judged: pd.DataFrame) -> Figure | None:
    """Mean ranks over pictures with the critical difference; none where everything was measured once."""
    models = judged[judged["role"].isin(JUDGED) & judged["value"].notna()]
    units = models.groupby(["measure", "settings"])["unit"].transform("nunique")
    held = models[units > 1]
    if held["model"].nunique() < 2:
        return None
    verdict = nemenyi(held)
    return draw_critical_difference(verdict) if len(verdict.standing) > 1 else None


def movements(scores: pd.DataFrame, readings: Readings, dataset: Dataset[Picture, Lookers]) -> dict[str, Figure | None]:
    """Amplitudes, durations, directions, turns, and amplitude with duration, of people and of every entrant."""
    those = movers(scores, readings)
    if not those:
        return {}
    ran = list(dict.fromkeys(id for one in readings.values() for id in one if id in dataset.all_ids))[:MOST]
    people = moves.crowd([sample.reference for sample in dataset.only(ran)])
    return _draw_movements(those, people)


def _draw_movements(those: Sequence[Movers], people: Crowd) -> dict[str, Figure | None]:
    return {
        "saccade_amplitudes": moves.distributions(those, people, "amplitude"),
        "fixation_durations": moves.distributions(those, people, "duration"),
        "saccade_directions": moves.roses(those, "direction"),
        "turning_angles": moves.roses(those, "turning"),
        "amplitude_and_duration": moves.joint(those, people),
    }


def movers(scores: pd.DataFrame, readings: Readings) -> list[Movers]:
    """Models, oracles and blind models with the movements read of them; of a stochastic one its first answers."""
    roles = dict(zip(scores["model"], scores["role"], strict=True))
    found = []
    for name, own in readings.items():
        pairs = [(moved, seen) for moved, seen in own.values() if isinstance(moved, Moves)]
        if pairs and roles.get(name) in DRAWN:
            seen: list[PeopleMoves] = [people_moves(of) for _, of in pairs]
            found.append(Movers(name, roles[name], [moved for moved, _ in pairs], seen))
    return found
