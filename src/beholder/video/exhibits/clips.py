"""Generated clips: how people judge their motion, clip by clip or two by two."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from beholder.core.cite import source
from beholder.core.randomness import rng_for
from beholder.core.sample import remark
from beholder.engines.progress import Silent, Watch
from beholder.errors import Misuse, listed
from beholder.study.design.checks import with_instruction
from beholder.study.design.exhibition import Exhibition, Film, Piece, Pixels, choices, scale
from beholder.study.design.file import FIRST, SECOND, Question, Trial, Trials
from beholder.study.design.writing import unreadable_refused
from beholder.video.files.clips import opened
from beholder.video.files.suffixes import clips_in
from beholder.video.types import Clip

SIDE = 720  # px of the longer side as shown; smaller clips stay as they are
PRACTICE = 2


class _Asked(NamedTuple):
    """A dimension of motion, in plain words."""

    rate: str  # asked of one clip …
    low: str
    high: str
    choose: str  # … and of two


# The five dimensions of VMBench (Ling et al. 2025), in our words.
DIMENSIONS: Mapping[str, _Asked] = {
    "commonsense": _Asked(
        "Could this happen in the real world?",
        "impossible",
        "just as in real life",
        "Which is more likely to happen in the real world?",
    ),
    "smoothness": _Asked(
        "Is the motion smooth, without blur, jerks or flicker?", "not at all", "entirely", "Which moves more smoothly?"
    ),
    "integrity": _Asked(
        "Do people, animals and things keep their shape while they move?",
        "they fall apart",
        "always",
        "In which do people, animals and things keep their shape better?",
    ),
    "amplitude": _Asked(
        "How much do the people, animals or things that matter move?",
        "not at all",
        "very much",
        "Which has more motion?",
    ),
    "coherence": _Asked(
        "Do things stay there, without appearing or vanishing for no reason?",
        "things come and go",
        "all stay",
        "In which do fewer things appear or vanish for no reason?",
    ),
}
OVERALL = "overall"
INSTRUCTIONS = """\
You will see short clips that computer programs have made. {task}

Judge the motion only: it does not matter whether you like what is shown, or how sharp it is.

Some clips show an instruction. Please follow it.
"""
TASKS = {
    "rating": "Watch each clip to its end, then answer the questions below it. You may watch it again.",
    "two_alternative": "You will see two clips at a time, made from the same words. Watch both to the end, then "
    "say which one does better.",
}
DEBRIEF = (
    "Thank you. The clips were made by several programs. Your answers show how far measures of motion can be trusted."
)


@source("Ling2025")
def clips(
    *,
    model: str | Sequence[str] = (),
    prompts: int = 50,
    count: int = 20,
    raters: int = 3,
    trial: Trial = "rating",
    seconds: float = 0.0,
    seed: int = 0,
    watch: Watch | None = None,
) -> Exhibition:
    """People rate how the clips of several generators move, on five dimensions, or choose which of two moves better.

    `model` are folders, NAME=dir:FOLDER; a clip's prompt is its path without suffix, so that the clips of one prompt
    have the same name in every folder. `prompts` is the number of prompts drawn from those that all models have
    answered (0: all). Every model's clip of each drawn prompt is shown, so that models and prompts are balanced. A
    participant judges `count` clips, and never two of the same prompt, except in pairs. The study admits enough
    participants to give each clip `raters` raters. `trial` is rating (1 … 5 on each dimension) or two_alternative.
    `seconds` cuts longer clips. All clips are written in one format, without sound.
    """
    watch = watch or Silent()
    if trial == "yes_no":
        raise Misuse("got trial=yes_no; expected rating or two_alternative: no answer is right for a clip")
    folders = _folders([model] if isinstance(model, str) else model, trial)
    chosen, left = _chosen(folders, prompts, seed)
    pieces = list(_pieces(folders, chosen, seconds, seed, watch))
    aside = PRACTICE if len(chosen) >= 3 * PRACTICE else 0
    many = _trials(min(count, len(chosen) - aside), len(folders), trial)
    shown = (len(chosen) - aside) * len(folders)
    per_person = many * (2 if trial == "two_alternative" else 1)
    return Exhibition(
        title="How do these clips move?",
        questions=_questions(trial),
        instructions=INSTRUCTIONS.format(task=TASKS[trial]),
        pieces=[*_with_practice(pieces, chosen[:aside], trial), *_checks(pieces, trial)],
        trial=trial,
        trials=Trials(count=many, practice=aside, checks=1, repeats=1 if many > 5 else 0),
        debrief=DEBRIEF,
        study={"seed": seed, "form": [], "participants": -(-shown * raters // per_person)},
        about={
            "exhibit": "video.clips",
            "models": {name: len(there) for name, there in folders.items()},
            "prompts": len(chosen),
            "clips that are judged": shown,
            "raters of each": raters,
            "seed": seed,
        },
        remarks=(*left, *_shortage(many, count, len(folders))),
    )


def _folders(specs: Sequence[str], trial: Trial) -> dict[str, dict[str, Path]]:
    """The clips of each model by prompt."""
    found: dict[str, dict[str, Path]] = {}
    for spec in specs:
        given = re.fullmatch(r"(?:([\w .+-]+)=)?dir:(.+)", spec)
        if not given:
            raise Misuse(f"got the model {spec!r}; expected NAME=dir:FOLDER, such as wan=dir:clips/wan")
        where = Path(given[2]).expanduser()
        name = given[1] or where.absolute().name
        if not where.is_dir():
            raise Misuse(f"got {spec}, which is not a folder; expected one with a clip for each prompt")
        if name in found:
            raise Misuse(f"got the model {name!r} twice; expected each only once; give them names: NAME=dir:FOLDER")
        found[name] = dict(clips_in(where))
        if not found[name]:
            raise Misuse(f"got {where} without a clip; expected films, GIFs or folders of frames")
    if len(found) < (2 if trial == "two_alternative" else 1):
        least = "two or more" if trial == "two_alternative" else "one or more"
        raise Misuse(f"got {len(found)} models; expected {least}: --model NAME=dir:FOLDER")
    return found


def _chosen(folders: Mapping[str, Mapping[str, Path]], prompts: int, seed: int) -> tuple[list[str], tuple[str, ...]]:
    """Prompts that every model has answered, by chance, and what is said of the others."""
    every = dict.fromkeys(prompt for there in folders.values() for prompt in there)
    common = [prompt for prompt in every if all(prompt in there for there in folders.values())]
    if len(common) < 2:
        raise Misuse(
            f"got {len(common)} prompts that all of {listed(folders)} have a clip of; expected 2 or more: the clips of "
            "a prompt have the same name in every folder"
        )
    left = remark(
        [prompt for prompt in every if prompt not in set(common)], "prompt", "not of all models, and left out"
    )
    order = rng_for(seed, "prompts").permutation(len(common))
    return [common[at] for at in (order[:prompts] if prompts else order)], left


def _pieces(
    folders: Mapping[str, Mapping[str, Path]], chosen: Sequence[str], seconds: float, seed: int, watch: Watch
) -> Iterator[Piece]:
    watch.begin("study: clips", len(chosen) * len(folders), 0)
    for prompt in chosen:
        for name, there in folders.items():
            with unreadable_refused():
                length = _length(there[prompt])
            length = min(length, seconds) if seconds else length
            film = Film(f"{name}/{prompt}", partial(_frames, there[prompt], length), length)
            yield Piece(
                id=f"{name}/{prompt}", kind=name, media=film, group=prompt, system=name, show="clip", stimulus="clip"
            )
            watch.step(failed=False)


def _length(path: Path) -> float:
    """How long a clip is, in s."""
    with opened(Clip(path=path), 64) as stream:
        times = [at for at, _ in stream.frames]
        return times[-1] + (stream.step if stream.step > 0 else times[-1] / max(1, len(times) - 1) or 1 / 24)


def _frames(path: Path, length: float) -> Iterator[tuple[float, Pixels]]:
    with opened(Clip(path=path), SIDE) as stream:
        yield from takewhile(lambda timed: timed[0] < length, stream.frames)


def _with_practice(pieces: Sequence[Piece], aside: Sequence[str], trial: Trial) -> Iterator[Piece]:
    """Pieces of some prompts become practice: one of a prompt, or all where two are shown."""
    from dataclasses import replace

    for at, piece in enumerate(pieces):
        if piece.group not in aside:
            yield piece
        elif trial == "two_alternative" or not any(one.group == piece.group for one in pieces[:at]):
            yield replace(piece, use="practice")


def _checks(pieces: Sequence[Piece], trial: Trial) -> list[Piece]:
    """A clip that says which answer to give to every question."""
    from dataclasses import replace

    answer, label = (FIRST, "the first") if trial == "two_alternative" else ("2", "2")
    first = pieces[0].media
    assert isinstance(first, Film)  # all clips are
    media = replace(first, name="check", frames=partial(_instructed, first, f"Please answer {label} each time"))
    return [
        replace(
            pieces[0], id="check", kind="check", media=media, group="check", system="", use="check", expected=answer
        )
    ]


def _instructed(film: Film, text: str) -> Iterator[tuple[float, Pixels]]:
    for at, frame in film.frames():
        yield at, with_instruction(frame, text)


def _questions(trial: Trial) -> tuple[Question, ...]:
    if trial == "rating":
        return tuple(
            Question(dimension=name, text=asked.rate, answers=scale(asked.low, asked.high))
            for name, asked in DIMENSIONS.items()
        )
    pair = choices((FIRST, "The first"), (SECOND, "The second"))
    texts = {name: asked.choose for name, asked in DIMENSIONS.items()} | {OVERALL: "Which moves better overall?"}
    return tuple(Question(dimension=name, text=text, answers=pair) for name, text in texts.items())


def _trials(most: int, models: int, trial: Trial) -> int:
    """How many trials a participant has: as many of each model, so that none is rated more often than another."""
    if trial == "two_alternative":
        return most
    if most < models:
        raise Misuse(
            f"got {models} models and {most} trials; expected as many trials as models, or more: nobody sees two clips "
            "of one prompt, so give more prompts or a larger count"
        )
    return most - most % models


def _shortage(many: int, count: int, models: int) -> tuple[str, ...]:
    if many == count:
        return ()
    return (
        f"{many} trials per participant, not {count}: no two of one prompt, and as many of each of {models} models",
    )
