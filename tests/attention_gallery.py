"""A table of made-up recordings with small pictures, for runs of attention/saliency from end to end."""

from pathlib import Path

import numpy as np

from beholder.io import image

SHAPE = (48, 64)
NAMES = ("dots", "edge", "fern", "gate", "hill", "ivy", "jar")
PEOPLE = ("ann", "bob", "cyd")


def spot(name):
    """Where people look on a picture: x, y."""
    rng = np.random.default_rng(NAMES.index(name))
    return rng.uniform(12, 52), rng.uniform(10, 38)


def gallery(root: Path, names=NAMES, people=PEOPLE) -> Path:
    """A folder with pictures of one bright spot and fixations.csv of people who look at it."""
    root.mkdir(parents=True, exist_ok=True)
    lines = ["stimulus,observer,index,x,y,duration_ms"]
    for name in names:
        x, y = spot(name)
        rng = np.random.default_rng([NAMES.index(name), 1])
        light = 60 + 160 * bump(x, y) + rng.normal(0, 8, SHAPE)
        pixels = np.clip(light, 0, 255).astype(np.uint8)
        image.write(np.repeat(pixels[..., None], 3, axis=2), root / f"{name}.png")
        for who in people:
            at = rng.normal([x, y], 3, (6, 2))
            lines += [f"{name},{who},{k},{a:.2f},{b:.2f},{200 + 10 * k}" for k, (a, b) in enumerate(at)]
    (root / "fixations.csv").write_text("\n".join(lines) + "\n", "utf-8")
    return root


def bump(x, y, shape=SHAPE):
    """A map of 0 … 1 with its top at a place."""
    rows, columns = np.mgrid[: shape[0], : shape[1]]
    return np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / 50)
