"""A study that needs nothing else: painted landscapes, and gaze tracks that are all made up."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.study.design.checks import instructed
from beholder.study.design.exhibition import Exhibition, Piece, Pixels, Still, Track, choices
from beholder.study.design.file import Question, Trials
from beholder.study.design.tracks import from_fixations, track
from beholder.study.design.wording import FORM, GROUPS, KNOWLEDGE

EDITION = 2  # of the demo's texts and tracks: one that an older Beholder has written is written again
WIDTH, HEIGHT = 640, 480
SCENES, PRACTICE = 24, 2
SECONDS, HERTZ = 2.5, 50.0
PACE = 0.27  # s: what people's fixations last on average, so that the number of stops tells nothing
PX_PER_DEG = 32.0  # the scenes are 20 degrees wide

INSTRUCTIONS = """\
You will see landscapes with a red dot that moves over them. The dot shows where somebody looked: sometimes a person,
sometimes a computer program that pretends to look.

Watch each clip to its end. Then say who made the dot move. You begin with a few practice clips.

This is a demonstration: the tracks of people in this demo are simulated.
"""
CONSENT = """\
What this is. A demonstration of Beholder's web studies. You will watch 16 short clips and say after each whether a
person or a computer made the dot move. The tracks of people in this demo are simulated: no person's eye movements were
recorded for it. One clip shows an instruction that says which answer to give: it shows that people watch the clips.

How long it takes. About three minutes.

Who may take part. Anybody who can open this demonstration.

Who runs it. The person who started the program, on their own computer; nothing is sent to anybody else.

Risks and benefits. None, other than looking at painted landscapes.

Payment. None.

What is stored. Your answers, how long they took, your answers to the form, your comment if you write one, and general
information about your screen, in a file on that computer, in the same way as in a real study. Your name and your
network address are not stored.

Stopping. Taking part is voluntary. You can stop at any time, without giving a reason, with the button 'Stop taking
part', which is on every page: your answers are then deleted. If you close the page instead, your answers so far are
kept, and you can continue later from the same link; if you do not, they are left out of the results.

How long it is kept. Until the file is deleted, with: beholder study purge demo --all --force

What happens to the answers. Nothing, unless the person who runs the demonstration looks at them.

Questions and complaints. Ask the person who started the program.
"""
DEBRIEF = """\
Thank you. The tracks of people in this demo are simulated: the 'person' lands beside things, looks back at them and
stays for uneven times, while the 'computer' moves on to the nearest thing at regular intervals. Your
score says nothing about eye movements.
"""


@dataclass(frozen=True, eq=False)
class Scene:
    """A landscape, and where its things stand."""

    paint: Any  # a Pillow picture
    things: NDArray[np.float64]  # (n, 2), px, the most striking first

    def pixels(self) -> Pixels:
        """Its colours."""
        return np.asarray(self.paint)


def demo(folder: Path) -> Path:
    """Write the demo study into a folder, and return the path of its study.toml."""
    from beholder.study.design.writing import write

    return write(exhibition(), folder)


def is_current(folder: Path) -> bool:
    """Whether the demo study in a folder is this one."""
    try:
        written = json.loads((folder / "about.json").read_text("utf-8"))
    except (OSError, ValueError):
        return False
    return (folder / "study.toml").is_file() and written.get("edition") == EDITION


def exhibition(seed: int = 0) -> Exhibition:
    """Made landscapes with tracks of a simulated person and of a simple walker, and a check."""
    pieces = [piece for at in range(SCENES + PRACTICE) for piece in _pieces(at, seed)]
    return Exhibition(
        title="Demo: a person or a computer?",
        questions=(
            Question(
                text="Who made the dot move?", answers=choices(("human", "A person"), ("synthetic", "A computer"))
            ),
        ),
        instructions=INSTRUCTIONS,
        pieces=[*pieces, *_checks(seed)],
        right={"human": "human", "synthetic": "synthetic"},
        trials=Trials(count=12, practice=PRACTICE, checks=1, repeats=1),
        debrief=DEBRIEF,
        study={
            "name": "demo",
            "consent": {"text": CONSENT, "contact": "This is a demonstration: there is nobody to ask."},
            "form": [*FORM, KNOWLEDGE],
            "groups": GROUPS,
            "comment": True,
            "lease_minutes": 10.0,
            "seed": seed,
        },
        about={
            "edition": EDITION,
            "what": "the tracks of people in this demo are simulated",
            "seconds": SECONDS,
            "hertz": HERTZ,
        },
    )


def _pieces(at: int, seed: int) -> list[Piece]:
    """A scene with the track of the 'person', that of the walker, or, for practice, one of both in turn."""
    rng = np.random.default_rng([seed, at])
    name, found = f"scene{at + 1:02}", scene(rng)
    both = {"human": ("simulated person", person(found, rng)), "synthetic": ("walker", walker(found, rng))}
    practice = at >= SCENES
    kept = [list(both)[at % 2]] if practice else list(both)
    return [
        Piece(
            id=f"{name}-{kind}",
            kind=kind,
            media=Still(name, found.pixels),
            group=name,
            system=both[kind][0],
            use="practice" if practice else "trial",
            track=both[kind][1],
            stimulus="picture",
            note="simulated",
        )
        for kind in kept
    ]


def _checks(seed: int) -> list[Piece]:
    """Two clips that say which answer to give."""
    made = []
    for at, (answer, label) in enumerate((("human", "a person"), ("synthetic", "a computer"))):
        rng = np.random.default_rng([seed, 1000 + at])
        found = scene(rng)
        still = Still(f"check{at + 1}", instructed(found.pixels, f"Please answer: {label}"))
        made.append(
            Piece(
                id=still.name,
                kind="check",
                media=still,
                group=still.name,
                use="check",
                expected=answer,
                track=person(found, rng),
                stimulus="picture",
            )
        )
    return made


def person(found: Scene, rng: np.random.Generator) -> Track:
    """The simulated person: near the middle at first, beside things, back again, for uneven times."""
    shares = 0.75 ** np.arange(len(found.things))
    places = [np.array([WIDTH, HEIGHT]) / 2 + rng.normal(0, 0.6 * PX_PER_DEG, 2)]
    while len(places) < 16:
        near = np.exp(-((np.hypot(*(found.things - places[-1]).T) / (6 * PX_PER_DEG)) ** 2))
        weights = shares * (near + 0.05)
        aim = found.things[rng.choice(len(found.things), p=weights / weights.sum())]
        stray = rng.uniform([40, 60], [WIDTH - 40, HEIGHT - 40]) if rng.random() < 0.12 else aim
        places.append(stray + rng.normal(0, 0.7 * PX_PER_DEG, 2))
    return _played(np.array(places), rng.lognormal(np.log(0.25), 0.4, len(places)), rng)


def walker(found: Scene, rng: np.random.Generator) -> Track:
    """The model: from the middle to the nearest thing that it has not been at, and so on, as by a clock."""
    middle = np.array([WIDTH, HEIGHT]) / 2 + rng.normal(0, 0.6 * PX_PER_DEG, 2)
    places: list[NDArray[np.float64]] = [middle]
    left: list[NDArray[np.float64]] = []
    while len(places) < 16:
        left = left or list(found.things)
        far = [float(np.hypot(*(thing - places[-1]))) for thing in left]
        places.append(left.pop(int(np.argmin(far))))
    return _played(np.array(places), np.full(len(places), PACE), rng)


def _played(places: NDArray[np.float64], lasts: NDArray[np.float64], rng: np.random.Generator) -> Track:
    trace = from_fixations(places, lasts, rng=rng, px_per_deg=PX_PER_DEG)
    return track(trace, (HEIGHT, WIDTH), hertz=HERTZ, seconds=SECONDS)


def scene(rng: np.random.Generator) -> Scene:
    """A landscape: sky, sun, hills, and four to six things among houses, trees and balloons."""
    from PIL import Image, ImageDraw

    picture = Image.fromarray(_sky(rng))
    draw = ImageDraw.Draw(picture)
    sun = rng.uniform([60, 40], [WIDTH - 60, 130])
    _disc(draw, sun, 26, (255, 236, 170))
    for level, green in ((0.55, 70), (0.68, 95), (0.82, 120)):
        _hill(draw, level, (green // 2 + int(rng.integers(0, 30)), green, green // 2), rng)
    painters = [partial(_house, draw), partial(_tree, draw), partial(_balloon, draw)]
    columns = rng.permutation(np.linspace(70, WIDTH - 70, 7))[: rng.integers(4, 7)]
    things = []
    for across in columns:
        up = rng.choice(3, p=[0.4, 0.3, 0.3])
        down = rng.uniform(100, 230) if up == 2 else rng.uniform(330, 430)
        painters[up](np.array([across + rng.normal(0, 8), down]), rng)
        things.append((across, down - (0 if up == 2 else 25)))
    return Scene(picture, np.array([*things, tuple(sun)]))


def _sky(rng: np.random.Generator) -> Pixels:
    top, low = rng.uniform([60, 100, 160], [120, 160, 230]), rng.uniform([200, 190, 180], [250, 230, 230])
    share = np.linspace(0, 1, HEIGHT)[:, None, None]
    colours = np.broadcast_to(top * (1 - share) + low * share, (HEIGHT, WIDTH, 3))
    return np.clip(colours + rng.normal(0, 3, (HEIGHT, WIDTH, 1)), 0, 255).astype(np.uint8)


def _hill(draw: Any, level: float, colour: tuple[int, int, int], rng: np.random.Generator) -> None:
    across = np.arange(0, WIDTH + 8, 8)
    waves = [rng.uniform(6, 22) * np.sin(across / rng.uniform(40, 140) + rng.uniform(0, 7)) for _ in range(3)]
    line = list(zip(across.tolist(), (HEIGHT * level + np.sum(waves, axis=0)).tolist(), strict=True))
    draw.polygon([(0, HEIGHT), *line, (WIDTH, HEIGHT)], fill=colour)


def _disc(draw: Any, at: NDArray[np.float64], radius: float, colour: tuple[int, ...]) -> None:
    draw.ellipse((at[0] - radius, at[1] - radius, at[0] + radius, at[1] + radius), fill=colour)


def _house(draw: Any, at: NDArray[np.float64], rng: np.random.Generator) -> None:
    x, y = at.tolist()
    half = float(rng.uniform(22, 34))
    wall = tuple(rng.integers([180, 150, 120], [250, 220, 190]).tolist())
    draw.rectangle((x - half, y - 1.4 * half, x + half, y), fill=wall)
    draw.polygon(
        [(x - 1.2 * half, y - 1.4 * half), (x, y - 2.4 * half), (x + 1.2 * half, y - 1.4 * half)], (150, 60, 45)
    )
    draw.rectangle((x - 6, y - 22, x + 6, y), fill=(90, 60, 40))


def _tree(draw: Any, at: NDArray[np.float64], rng: np.random.Generator) -> None:
    x, y = at.tolist()
    draw.rectangle((x - 5, y - 40, x + 5, y), fill=(95, 70, 45))
    for _ in range(5):
        _disc(draw, at + rng.normal([0, -58], 9), 18, (30, int(rng.integers(90, 140)), 45))


def _balloon(draw: Any, at: NDArray[np.float64], rng: np.random.Generator) -> None:
    colour = tuple(rng.permutation([225, 90, 60]).tolist())
    _disc(draw, at, 26, colour)
    draw.line([(at[0] - 12, at[1] + 22), (at[0], at[1] + 52), (at[0] + 12, at[1] + 22)], fill=(60, 50, 50), width=2)
    draw.rectangle((at[0] - 7, at[1] + 46, at[0] + 7, at[1] + 58), fill=(110, 80, 50))
