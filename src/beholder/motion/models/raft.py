"""RAFT, recurrent all-pairs field transforms, from a checkpoint that you have."""

from __future__ import annotations

import numpy as np

from beholder.core.cite import source
from beholder.errors import Misuse
from beholder.motion.frame_pairs import Fields, srgb_levels
from beholder.motion.types import Movie
from beholder.vision.raft import between, loaded


@source("Teed2020", family="network", dynamics="none", needs="checkpoint")
def raft(movie: Movie, *, checkpoint: str = "", iterations: int = 20) -> Fields:
    """The network of Teed and Deng, basic or small, with the weights of `checkpoint`: raft(checkpoint=raft-things.pth).

    Beholder includes neither torch nor the weights. Frames go in as grey 8-bit sRGB, scaled so that the movie's
    greatest luminance is 255, as in the networks' training; borders are repeated up to multiples of 8 px. The published
    files raft-things, raft-sintel, raft-small … work as they are. Each pair starts from rest; the `iterations` are
    steps of the network, not of time.
    """
    if iterations < 1:
        raise Misuse(f"got iterations={iterations}; expected 1 or more")
    network = loaded(checkpoint)
    frames = srgb_levels(movie)
    found = [between(network, frames[at], frames[at + 1], iterations) for at in range(len(frames) - 1)]
    return np.stack(found) if found else np.zeros((0, *frames.shape[1:], 2), np.float32)
