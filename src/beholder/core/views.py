"""Views: one sample side by side: what was shown, what people or the truth say, what a model answers and its error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from beholder.core.film import Film

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class View:
    """One picture of a sample. About 480 px are large enough for a page.

    A picture is RGB (H, W, 3). What lies `over` another view is RGBA (H, W, 4) of any size and of the same shape, or a
    drawing, the text of an SVG (see `io.drawing`). So what was shown is kept once, and a layer is small. A drawing may
    stand alone, too, and a `Film` plays.
    """

    title: str
    picture: NDArray[np.uint8] | str | Film
    alt: str  # what to say where it cannot be seen; of a model's view without the model's name
    legend: str = ""  # one line: what its colours mean
    over: str = ""  # the title of the shared view that it lies on, which is shown in grey
    faint: bool = False  # whether that is pale, too


@dataclass(frozen=True, eq=False)
class Views:
    """How one sample is shown: what all models share, the stimulus first, and the views of each model.

    A shared view after the first that others lie over is not shown by itself.
    """

    shared: tuple[View, ...]
    models: Mapping[str, tuple[View, ...]]  # as many of each, in the same order
    note: str = ""  # said above them, such as a prompt
