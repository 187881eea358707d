"""Five measures that anyone would try first: per frame, without a thought for cameras, objects or seconds.

They are what a measure of motion quality has to beat on people's ratings. Less is better in all of them: on FETV's
clips quality falls with each. Frames are made grey, then brought to 256 px of width (averaged, or interpolated).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from beholder.core.measure import NotApplicable, measure
from beholder.video.readouts.trivial import TrivialEvidence, trivial_evidence
from beholder.video.types import Floats


def _mean(of_pairs: Floats) -> float:
    if not len(of_pairs):
        raise NotApplicable("the clip has fewer than two frames: there is nothing to compare")
    return float(of_pairs.mean())


@measure(better="lower", bounds=(0, 255), cite="Liu2023FETV", reads=trivial_evidence, unit="levels")
def trivial_difference(found: TrivialEvidence, scene: Any) -> float:
    """(1/n) Σ |I_{t+1} − I_t|, the mean over pixels and pairs of grey frames. Fewer than two are not applicable.

    >>> from types import SimpleNamespace
    >>> trivial_difference(SimpleNamespace(difference=np.array([1.0, 3.0])), None)
    2.0
    """
    return _mean(found.difference)


@measure(better="lower", bounds=(0, np.inf), cite="Farneback2003,Liu2023FETV", reads=trivial_evidence, unit="px/frame")
def trivial_flow(found: TrivialEvidence, scene: Any) -> float:
    """Mean |f| of Farneback's flow over pixels and pairs, of frames 256 px wide. Fewer than two are not applicable.

    f has the settings 0.5, 3 levels, window 15, 3 iterations, neighbourhood 5, σ = 1.2.

    >>> from types import SimpleNamespace
    >>> trivial_flow(SimpleNamespace(flow=np.array([1.0, 3.0])), None)
    2.0
    """
    return _mean(found.flow)


@measure(better="lower", bounds=(0, 255), cite="Farneback2003,Liu2023FETV", reads=trivial_evidence, unit="levels")
def trivial_residual(found: TrivialEvidence, scene: Any) -> float:
    """(1/n) Σ |I_{t+1}(x + f) − I_t|: what flow does not explain. Fewer than two frames are not applicable.

    >>> from types import SimpleNamespace
    >>> trivial_residual(SimpleNamespace(residual=np.array([1.0, 3.0])), None)
    2.0
    """
    return _mean(found.residual)


@measure(better="lower", bounds=(0, np.inf), cite="Farneback2003,Liu2023FETV", reads=trivial_evidence)
def trivial_flow_variation(found: TrivialEvidence, scene: Any) -> float:
    """Coefficient of variation of the mean flow of each pair: σ(|f|_t) / μ(|f|_t). Not applicable where nothing moves.

    >>> from types import SimpleNamespace
    >>> trivial_flow_variation(SimpleNamespace(flow=np.array([1.0, 3.0])), None)
    0.5
    """
    mean = _mean(found.flow)
    if mean == 0:
        raise NotApplicable("nothing moves")
    return float(found.flow.std()) / mean


@measure(better="lower", bounds=(0, np.inf), cite="Liu2023FETV", reads=trivial_evidence)
def trivial_sharpness_change(found: TrivialEvidence, scene: Any) -> float:
    """Mean |L_{t+1} − L_t| / L_t, L being the variance of a frame's Laplacian. Not applicable to flat frames.

    Frames that are flat themselves (L_t = 0) are left out; where nothing else is left, it is not applicable.

    >>> from types import SimpleNamespace
    >>> trivial_sharpness_change(SimpleNamespace(sharpness=np.array([4.0, 2.0, 3.0])), None)
    0.5
    """
    before, change = found.sharpness[:-1], np.abs(np.diff(found.sharpness))
    known = before > 0
    if not known.any():
        raise NotApplicable("every frame is flat: there is no sharpness that could change")
    return float((change[known] / before[known]).mean())
