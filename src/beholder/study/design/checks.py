"""Clips that say which answer to give: who does not watch, fails them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from beholder.study.design.exhibition import Pixels


def with_instruction(pixels: Pixels, text: str) -> Pixels:
    """A picture with an instruction in a white band across its middle, large enough to be read on a phone."""
    from PIL import Image, ImageDraw, ImageFont

    picture = Image.fromarray(pixels).convert("RGB")
    draw = ImageDraw.Draw(picture)
    size = max(12, picture.height // 10)
    while size > 8 and draw.textlength(text, font=ImageFont.load_default(size)) > 0.92 * picture.width:
        size -= 1
    middle, half = picture.height / 2, size
    draw.rectangle((0, middle - half, picture.width, middle + half), fill="white")
    draw.text((picture.width / 2, middle), text, font=ImageFont.load_default(size), fill="black", anchor="mm")
    return np.asarray(picture)


def instructed(pixels: Callable[[], Pixels], text: str) -> Callable[[], Pixels]:
    """A picture that will be read later, with an instruction."""
    return lambda: with_instruction(pixels(), text)
