"""Prompts to be reviewed: people keep or drop each sentence, which they see as a picture of its words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from textwrap import wrap

import numpy as np

from beholder.core.cite import source
from beholder.core.randomness import rng_for
from beholder.engines.progress import Watch
from beholder.errors import Misuse
from beholder.study.design.exhibition import Exhibition, Piece, Pixels, Still, choices
from beholder.study.design.file import Question, Trials
from beholder.study.design.wording import CONSENT
from beholder.video.prompts.entry import Entry
from beholder.video.prompts.files import read

WIDTH, MARGIN, LETTER, LINE = 1100, 50, 40, 58  # px: the picture, its border, the size of letters, from line to line
ACROSS = 48  # letters in a line
PRACTICE = 2
KEEP, DROP = "1", "0"
CHECK = "This one is a check: please answer “Drop it”."
INSTRUCTIONS = """\
You will see sentences that ask a computer program for a short video.

Keep a sentence if it is good English, if what it tells could happen, and if something in it moves. Drop it otherwise.
It does not matter whether you like it.

One sentence tells you which answer to give. Please follow it.
"""
# Where the consent of every study speaks of clips that are watched, this one speaks of sentences that are read.
READ = {
    "You will watch short clips and answer one or more questions after each. A few clips show an instruction\n"
    "that says which answer to give: they show us that people watch the clips.": "You will read sentences, one at a "
    "time, and say of each whether you would keep it. One sentence says\nwhich answer to give: it tells us that "
    "they were read.",
    "what the clips show": "what the sentences tell",
    "do not follow the clips with\nan instruction": "do not follow the sentence with\nan instruction",
}
DEBRIEF = "Thank you. The sentences that most of you keep go into a benchmark of video models."


@source("Ling2025")
def prompts(
    *, file: str = "", count: int = 40, raters: int = 3, seed: int = 0, watch: Watch | None = None
) -> Exhibition:
    """People review prompts one at a time: keep or drop?

    `file` is prompts.json, full_info.json, a text, or a folder with one. A participant judges `count` prompts; the
    study admits enough participants to give each prompt `raters` raters. Results are given by pattern of motion.
    `beholder video prompts final PROMPTS EXPORT` reads the answers. Each prompt is shown as an image of its words,
    which screen readers cannot read; reviewers who use one can take the sheet of `beholder video prompts review`.
    """
    del watch  # nothing here takes long
    if not file:
        raise Misuse("got no prompts; expected --set file=PROMPTS, such as that of beholder video prompts make")
    entries = read(Path(file))
    if len(entries) < 3 * PRACTICE:
        raise Misuse(f"got {len(entries)} prompts; expected {3 * PRACTICE} or more; review so few in a sheet")
    order = rng_for(seed, "prompts").permutation(len(entries)).tolist()
    practice = {entries[at].index for at in order[:PRACTICE]}
    many = min(count, len(entries))
    return Exhibition(
        title="Is this a good sentence?",
        questions=(
            Question(text="Would you keep this sentence?", answers=choices((KEEP, "Keep it"), (DROP, "Drop it"))),
        ),
        instructions=INSTRUCTIONS,
        pieces=[*_pieces(entries, practice), _check()],
        trial="rating",
        trials=Trials(count=many, practice=PRACTICE, checks=1, repeats=1 if many > 5 else 0, replay=False),
        debrief=DEBRIEF,
        study={
            "seed": seed,
            "form": [],
            "consent": {"text": _consent()},
            "participants": -(-len(entries) * raters // many),
        },
        about={"exhibit": "video.prompts", "prompts": len(entries), "raters of each": raters, "seed": seed},
    )


def _consent() -> str:
    """The consent of every study, about sentences."""
    text = CONSENT
    for clips, sentences in READ.items():
        text = text.replace(clips, sentences)
    return text


def _pieces(entries: Sequence[Entry], practice: set[str]) -> list[Piece]:
    """All prompts to be judged; some are shown for practice as well."""
    judged = [
        Piece(
            id=f"prompt-{entry.index}",
            kind="prompt",
            media=_still(entry),
            show="picture",
            stimulus=entry.pattern or "prompt",
        )
        for entry in entries
    ]
    warm = [
        Piece(id=f"practice-{entry.index}", kind="prompt", media=_still(entry), use="practice", show="picture")
        for entry in entries
        if entry.index in practice
    ]
    return [*judged, *warm]


def _still(entry: Entry) -> Still:
    return Still(entry.index, partial(written, entry.prompt))


def _check() -> Piece:
    media = Still("check", partial(written, CHECK))
    return Piece(id="check", kind="check", media=media, group="check", use="check", expected=DROP, show="picture")


def written(text: str) -> Pixels:
    """A picture of a text, black on white, large enough for a phone."""
    from PIL import Image, ImageDraw, ImageFont

    lines = wrap(text, ACROSS) or [""]
    picture = Image.new("RGB", (WIDTH, 2 * MARGIN + LINE * max(4, len(lines))), "white")
    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default(LETTER)
    for at, line in enumerate(lines):
        draw.text((MARGIN, MARGIN + at * LINE), line, font=font, fill="black")
    return np.asarray(picture)
