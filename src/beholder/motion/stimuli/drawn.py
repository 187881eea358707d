"""Movies that this process has drawn already: a scene is drawn once per worker, however many models and oracles ask."""

from __future__ import annotations

from collections import OrderedDict

from beholder.motion.stimuli.drawing import Scene, movie
from beholder.motion.stimuli.sampling import Sampling
from beholder.motion.types import Movie
from beholder.store.digest import digest

ROOM = 64 * 1024**2  # bytes of frames that are kept, those asked for last: the 20 movies of `classical` take 49 MB


class Drawn:
    """Movies by scene and sampling; the one that was asked for longest ago gives way."""

    def __init__(self, room: int = ROOM) -> None:
        self.room = room
        self._kept: OrderedDict[str, Movie] = OrderedDict()

    def __call__(self, scene: Scene, sampling: Sampling) -> Movie:
        """The movie of a scene, read-only: all who ask share its frames."""
        key = digest(scene, sampling)
        if key not in self._kept:
            made = movie(scene, sampling)
            made.frames.setflags(write=False)
            self._kept[key] = made
            self._forget()
        self._kept.move_to_end(key)
        return self._kept[key]

    def _forget(self) -> None:
        """Let go of the oldest; the last one stays even if it alone is too large."""
        while len(self._kept) > 1 and sum(one.frames.nbytes for one in self._kept.values()) > self.room:
            self._kept.popitem(last=False)


drawn = Drawn()
