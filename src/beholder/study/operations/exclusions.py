"""Which of the study's own rules a session breaks; what the rules look at stands in the export beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from beholder.study.design.file import Exclude, Shown, Study

FINISHED = ("complete", "failed_checks")  # outcomes of those who answered everything
ALIKE = 10  # scored trials from which on equal answers to all of them break the rule one_answer
DEFAULTS = {"checks": 0.0, "frames": 0.8, "consistency": 0.5, "fast": 0.1}  # where a rule states no number


@dataclass(frozen=True)
class Conduct:
    """How a participant went about it; None where there is nothing to tell it from."""

    finished: bool
    answered: int = 0  # of the trials, practice left out
    checks_failed: int = 0
    consistency: float | None = None  # share of repeats that were answered like the first time
    frames_shown: float | None = None  # share of the frames that were drawn
    scored: tuple[str, ...] = ()  # answers to what is right or wrong, in a yes/no or two-alternative study
    seconds: tuple[float | None, ...] = ()  # from the end of the clip to the answer; None where the answer does not say


def conduct(study: Study, session: Mapping[str, Any], rows: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]],
            items: Mapping[str, Shown]) -> Conduct:  # fmt: skip
    """What a session's trials and their answers tell."""
    first = study.questions[0].dimension
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
    return Conduct(
        session["outcome"] in FINISHED,
        len(judged),
        len(failed),
        sum(again) / len(again) if again else None,
        frames_shown=_frames_shown([answer for _, answer in judged], study.trials.answer_after_end),
        scored=_scored(study, judged),
        seconds=tuple(answer["seconds"] for _, answer in judged),
    )


def _scored(study: Study, judged: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]]) -> tuple[str, ...]:
    """The answers to the first question that are right or wrong; controls, checks and repeats are left out."""
    if study.trial == "rating":
        return ()
    first, scored = study.questions[0].dimension, study.right
    return tuple(
        str(answer["values"].get(first))
        for trial, answer in judged
        if trial["use"] == "trial" and (study.trial == "two_alternative" or trial["kind"] in scored)
    )


def _frames_shown(answers: Sequence[Mapping[str, Any]], to_the_end: bool) -> float | None:
    """The share of frames that were drawn; an answer without the count is as if none had been.

    Our page counts them, so that such an answer came from elsewhere, or nothing was seen; only who may answer before
    the end may have counted none yet.
    """
    drawn = sum(answer["frames"] or 0 for answer in answers)
    due = drawn + sum(answer["dropped"] or 0 for answer in answers)
    told = sum(bool(answer["frames"] or answer["dropped"]) for answer in answers)
    silent = len(answers) - told if to_the_end else sum(answer["frames"] is None for answer in answers)
    if not told + silent:
        return None
    return (drawn / due if due else 0.0) * told / (told + silent)


def _what(trial: Mapping[str, Any]) -> tuple[str, str]:
    return trial["item"], trial["other"]


def broken(study: Study, how: Conduct) -> list[str]:
    """The names of the rules that a session breaks."""
    return [rule.rule for rule in study.exclude if _breaks(rule, how)]


def _breaks(rule: Exclude, how: Conduct) -> bool:
    if rule.rule == "incomplete":
        return not how.finished
    if rule.rule == "one_answer":
        return len(how.scored) >= ALIKE and len(set(how.scored)) == 1
    default = DEFAULTS[rule.rule]
    most = default if rule.most is None else rule.most
    least = default if rule.least is None else rule.least
    if rule.rule == "checks":
        return how.checks_failed > most
    if rule.rule == "frames":
        return how.frames_shown is not None and how.frames_shown < least
    if rule.rule == "consistency":
        return how.consistency is not None and how.consistency < least
    hasty = sum(seconds is None or seconds < rule.seconds for seconds in how.seconds)  # who does not say is not spared
    return bool(how.seconds) and hasty / len(how.seconds) > most
