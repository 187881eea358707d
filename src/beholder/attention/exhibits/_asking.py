"""What a study of scanpaths asks and says: questions, instructions, checks, and what its readers must know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from beholder.attention.exhibits._looks import Look
from beholder.attention.exhibits._walks import Walker
from beholder.core.sample import remark
from beholder.study.design.checks import instructed
from beholder.study.design.exhibition import Piece, Pixels, Still, choices, scale
from beholder.study.design.file import FIRST, SECOND, Question, Trial, Trials

HUMAN, SYNTHETIC = "human", "synthetic"
FROM_FIXATIONS, REVERSED = "human_fixations", "human_reversed"  # the controls
SAID = {FROM_FIXATIONS: "human fixations, synthetic saccades", REVERSED: "time-reversed human"}

INSTRUCTIONS = """\
You will see {what} with a red dot that moves over them. The dot shows where somebody looked: sometimes a person{whose},
sometimes a computer program.

{movement}Watch each clip to its end. Then say {question}. You begin with a few practice clips.

Some clips show an instruction. Please follow it.
"""
MOVEMENT = """\
Where the dot stops, and for how long, comes from that person or program. We made the jumps from one stop to the next,
in the same way for all clips.

"""
MADE_UP = "The tracks of people in this study are simulated."
DEBRIEF = """\
Thank you. {human}; the others were made by computer programs. We want to learn whether people can tell the difference.

{controls}{shown}
"""
LATER = "When you have answered everything, you will read more about how the clips were made."
CONTROLS = """\
A few clips were changed for comparison: {how}. We did not tell you before, because people who know about
such clips look for them. These clips have no right answer.

"""
CHANGED = {
    REVERSED: "the dot followed a person's gaze backwards",
    FROM_FIXATIONS: "we made the jumps between the places where a person had looked",
}
RECORDED = "About half of the clips showed where people had looked while their eye movements were recorded"
SIMULATED = "The tracks of people in this study are simulated: about half of the clips showed such a simulated person"
SHOWN = {
    "alike": "The jumps of the dot were synthetic in all clips. We used only the places where people and programs "
    "looked, and for how long, and moved the dot between them in the same way in every clip.",
    "raw": "The dot moved exactly as people's eyes were recorded to move, or as the programs computed.",
    "people": "The jumps of the dot were synthetic in the clips of people, because we know only where they looked "
    "and for how long. Programs that compute the movement themselves were shown as they move.",
}


@dataclass(frozen=True)
class Plan:
    """How everything is shown."""

    hertz: float
    seconds: Mapping[str, float]  # by kind of stimulus
    seed: int
    raw: bool = False  # whether gaze is shown as it was recorded, and models as they move, not by their fixations


def question(trial: Trial) -> Question:
    """What is asked after a clip, or after two."""
    if trial == "two_alternative":
        answers = choices((FIRST, "The first"), (SECOND, "The second"))
        return Question(text="In which of the two did a person look?", answers=answers)
    if trial == "rating":
        return Question(text="Who looked there?", answers=scale("surely a computer", "surely a person", points=6))
    return Question(text="Who looked there?", answers=choices((HUMAN, "A person"), (SYNTHETIC, "A computer")))


def right(trial: Trial) -> dict[str, str]:
    """Controls have no right answer; of two, that of the person is."""
    if trial == "rating":
        return {}
    return {HUMAN: HUMAN} if trial == "two_alternative" else {HUMAN: HUMAN, SYNTHETIC: SYNTHETIC}


def instructions(looks: Sequence[Look], trial: Trial, plan: Plan, trials: Trials) -> str:
    """What participants read before the trials. Controls are not named: who knows of them looks for them."""
    shown = {look.stimulus for look in looks}
    what = "pictures and films" if len(shown) == 2 else f"{shown.pop()}s"
    question = "in which of two a person looked" if trial == "two_alternative" else "who looked there"
    whose = "" if _simulated(looks) else " whose\neye movements were recorded"
    movement = MOVEMENT if _way(looks, plan) == "alike" else ""
    said = INSTRUCTIONS.format(what=what, whose=whose, question=question, movement=movement)
    later = f"\n{LATER}\n" if any(kind in trials.per_class for kind in SAID) else ""
    return said + later + (f"\n{MADE_UP}\n" if not whose else "")


def debrief(looks: Sequence[Look], plan: Plan, pieces: Sequence[Piece]) -> str:
    """What participants read at the end."""
    kinds = [kind for kind in CHANGED if any(piece.kind == kind for piece in pieces)]
    changed = CONTROLS.format(how=", or ".join(CHANGED[kind] for kind in kinds)) if kinds else ""
    human = SIMULATED if _simulated(looks) else RECORDED
    return DEBRIEF.format(human=human, controls=changed, shown=SHOWN[_way(looks, plan)])


def _way(looks: Sequence[Look], plan: Plan) -> str:
    """How people and models are shown: alike, by their fixations; raw; or only people by their fixations."""
    if not plan.raw:
        return "alike"
    return "raw" if all(look.recorded for look in looks) else "people"


def _simulated(looks: Sequence[Look]) -> bool:
    """Whether those who looked are no people."""
    return any(look.dataset is not None and look.dataset.status == "placeholder" for look in looks)


def checks(pieces: Sequence[Piece], looks: Sequence[Look], trial: Trial) -> list[Piece]:
    """Clips that say which answer to give, of what was practised with: nobody sees a picture that is judged twice."""
    asked = {
        "yes_no": ((HUMAN, "a person"), (SYNTHETIC, "a computer")),
        "two_alternative": ((FIRST, "the first"), (SECOND, "the second")),
        "rating": (("1", "1"), ("6", "6")),
    }[trial]
    practised = [piece for piece in pieces if piece.use == "practice"]
    shown = practised or [piece for piece in pieces if piece.kind in (HUMAN, SYNTHETIC)]
    of = {look.id: look for look in looks}
    made = []
    for at, (answer, label) in enumerate(asked):
        one = shown[at * (len(shown) - 1)]
        name = f"check-{answer}"
        still = Still(name, instructed(partial(_still, of[one.group]), f"Please answer: {label}"))
        made.append(
            replace(one, id=name, kind="check", media=still, group=name, system="", use="check", expected=answer)
        )
    return [replace(piece, note="") for piece in made]


def _still(look: Look) -> Pixels:
    return look.media.pixels() if isinstance(look.media, Still) else np.asarray(next(iter(look.media.frames()))[1])


def about(looks: Sequence[Look], models: Sequence[str], plan: Plan, people: int) -> dict[str, Any]:
    """How everything was made."""
    datasets = {look.dataset.name: look.dataset for look in looks if look.dataset}
    return {
        "exhibit": "attention.scanpaths",
        "models": list(models),
        "datasets": [
            {"name": one.name, "about": one.about, "cite": one.cite, "licence": one.licence}
            for one in datasets.values()
        ],
        "shown": {stimulus: sum(look.stimulus == stimulus for look in looks) for stimulus in plan.seconds},
        "seconds": dict(plan.seconds),
        "hertz": plan.hertz,
        "people of each": people,
        "seed": plan.seed,
        "marker": "the same red filled circle for all",
        "smoothing": "the same for all: Gaussian, 12 ms",
        "rendering": "raw" if plan.raw else "fixations",
        "rendering, in words": SHOWN[_way(looks, plan)],
        "people's gaze": "as recorded" if all(look.recorded for look in looks) else SAID[FROM_FIXATIONS],
        "start of models": "drawn from where people began on the same picture or film",
        "saccades that are made": "21 ms + 2.2 ms/deg, least jerk; drift of 0.08 deg, 0.15 s",
    }


def against(looks: Sequence[Look], models: Sequence[str], plan: Plan, trials: Trials) -> dict[str, str]:
    """What is shown here, and what Zanca et al. (2020) showed: facts of this study, which does not repeat theirs."""
    shown = _listed(f"{sum(look.stimulus == kind for look in looks)} {kind}s" for kind in plan.seconds)
    long = _listed(f"{kind}s {seconds:g} s" for kind, seconds in plan.seconds.items())
    controls = _listed(SAID[kind] for kind in trials.per_class if kind in SAID) or "none"
    rendering = "raw" if plan.raw else "fixations, joined by synthetic saccades"
    return {
        "what this is": "a study of its own; the preset zanca2020 follows the source, and lists its deviations",
        "duration": f"{long}; the source: pictures 5 s, films about 17 s",
        "items": f"{shown}; the source: 60 pictures and 60 films",
        "trials": f"{trials.count} per participant, {trials.practice} for practice, {trials.checks} that say which "
        f"answer to give, {trials.repeats} shown again; the source: 20, and mentions no others",
        "controls": f"{controls}; the source: none",
        "rendering": f"{rendering}; the source: the gaze position itself",
        "models": f"{_listed(models)}, with our settings unless others are given; the source: the gravitational "
        "model, without its constants",
    }


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words)


def unlike(looks: Sequence[Look], makers: Sequence[Walker], plan: Plan) -> tuple[str, ...]:
    """What else than where they look may tell models from people."""
    own = list(dict.fromkeys(one.name for one in makers if one.moves is not None))
    if not plan.raw or not own or all(look.recorded for look in looks):
        return ()
    return (
        f"{', '.join(own)}: shown as it moves, while people's saccades are synthetic; this alone may give the answer "
        "away. Give recorded gaze (gaze=TABLE), or drop rendering=raw to show everybody by their fixations",
    )


def left_out(left: Mapping[str, Sequence[str]]) -> list[str]:
    """Trials that are not shown, by the reason why."""
    return [line for why, whose in left.items() for line in remark(list(whose), "trial", f"left out ({why})")]


def remarks(
    looks: Sequence[Look], left: Mapping[str, Sequence[str]], trials: Trials, count: int, plan: Plan
) -> tuple[str, ...]:
    """What was left out, and what this dataset cannot show."""
    said = left_out(left)
    if _simulated(looks):
        said.append(
            "the people of this dataset are simulated, and the study tells participants so: use it only for "
            "trying things out"
        )
    if not plan.raw:
        said.append(
            "people and models are shown by their fixations, with the same synthetic saccades (rendering=fixations)"
        )
    elif not all(look.recorded for look in looks):
        said.append(
            "only people's fixations are known here, so their tracks are labelled 'human fixations, synthetic saccades'"
        )
    if trials.count < count:
        said.append(f"{trials.count} trials per participant, not {count}: there are no more pictures or films")
    return tuple(said)
