"""Which of the study's own rules a session breaks; what the rules look at stands in the export beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from beholder.study.design.file import Exclude, Shown, Study

FINISHED = ("complete", "failed_checks")  # outcomes of those who answered everything
DEFAULTS = {"checks": 0.0, "frames": 0.8, "consistency": 0.5, "fast": 0.1}  # where a rule states no number


@dataclass(frozen=True)
class Conduct:
    """How a participant went about it; None where there is nothing to tell it from."""

    finished: bool
    answered: int = 0  # of the trials, practice left out
    checks_failed: int = 0
    consistency: float | None = None  # share of repeats that were answered like the first time
    frames_shown: float | None = None  # share of the frames that were drawn
    seconds: tuple[float, ...] = ()  # from the end of the clip to the answer


def conduct(session: Mapping[str, Any], rows: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]],
            items: Mapping[str, Shown], first: str) -> Conduct:  # fmt: skip
    """What a session's trials and their answers tell; `first` is the dimension that is asked first."""
    judged = [(trial, answer) for trial, answer in rows if trial["use"] != "practice"]
    given = {_what(trial): answer["values"].get(first) for trial, answer in judged if trial["use"] == "trial"}
    again = [
        answer["values"].get(first) == given[_what(trial)]
        for trial, answer in judged
        if trial["use"] == "repeat" and _what(trial) in given
    ]
    failed = [
        trial for trial, answer in judged
        if trial["use"] == "check" and answer["values"].get(first) != items[trial["item"]].expected
    ]  # fmt: skip
    drawn = sum(answer["frames"] or 0 for _, answer in judged)
    lost = sum(answer["dropped"] or 0 for _, answer in judged)
    return Conduct(
        session["outcome"] in FINISHED,
        len(judged),
        len(failed),
        sum(again) / len(again) if again else None,
        drawn / (drawn + lost) if drawn + lost else None,
        tuple(answer["seconds"] for _, answer in judged if answer["seconds"] is not None),
    )


def _what(trial: Mapping[str, Any]) -> tuple[str, str]:
    return trial["item"], trial["other"]


def broken(study: Study, how: Conduct) -> list[str]:
    """The names of the rules that a session breaks."""
    return [rule.rule for rule in study.exclude if _breaks(rule, how)]


def _breaks(rule: Exclude, how: Conduct) -> bool:
    if rule.rule == "incomplete":
        return not how.finished
    default = DEFAULTS[rule.rule]
    most = default if rule.most is None else rule.most
    least = default if rule.least is None else rule.least
    if rule.rule == "checks":
        return how.checks_failed > most
    if rule.rule == "frames":
        return how.frames_shown is not None and how.frames_shown < least
    if rule.rule == "consistency":
        return how.consistency is not None and how.consistency < least
    hasty = sum(seconds < rule.seconds for seconds in how.seconds)
    return bool(how.seconds) and hasty / len(how.seconds) > most
