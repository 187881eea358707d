"""Every detector beside two people who labelled each sample by hand (Andersson et al. 2017), where that gaze is."""

import numpy as np
import pytest

from beholder.attention.gaze.detection import DETECTORS, Gaze
from beholder.io import structs

FIXATION, BLINK = 1, 5
PX_PER_DEG = 32.3  # data.md 3.5


@pytest.fixture
def recordings(data):
    """(kind, coder) → the labelled recordings, each with gaze that is lost in blinks."""
    root = data / "andersson_gaze" / "annotated_data" / "data used in the article"
    if not root.is_dir():
        pytest.skip("Andersson's gaze is not here")

    def held(kind, coder):
        return [read(file) for file in sorted((root / kind).glob(f"*_{coder}.mat"))]

    return held


def read(file):
    held = structs.variable(file, "ETdata")
    label, x, y = held["pos"][:, 5], held["pos"][:, 3].copy(), held["pos"][:, 4].copy()
    x[label == BLINK] = y[label == BLINK] = np.nan
    return Gaze(x, y, float(held["sampFreq"])), label


def covered(path, gaze):
    """Which samples lie in a fixation."""
    found = np.zeros(len(gaze), bool)
    for begin, lasts in zip(path.onset_ms, path.duration_ms, strict=True):
        first = round(begin * gaze.hertz / 1000)
        found[first : first + round(lasts * gaze.hertz / 1000)] = True
    return found


def kappa(ours, theirs):
    """Cohen's kappa of two columns of yes and no."""
    shares = np.array([ours.mean(), theirs.mean()])
    chance = shares.prod() + (1 - shares).prod()
    return ((ours == theirs).mean() - chance) / (1 - chance)


def agreement(recordings, name):
    """Kappa over all samples outside blinks, and the number of fixations over the coder's."""
    pairs, counts = [], []
    for gaze, label in recordings:
        found = DETECTORS[name](gaze, px_per_deg=PX_PER_DEG)
        pairs.append(np.stack([covered(found, gaze), label == FIXATION])[:, label != BLINK])
        counts.append([len(found), (np.diff((label == FIXATION).astype(int), prepend=0) == 1).sum()])
    return kappa(*np.concatenate(pairs, axis=1)), np.divide(*np.sum(counts, axis=0))


# Measured here; the coders' own kappa for fixations on pictures is 0.84. I-DT swallows oscillations after saccades.
PICTURES = {
    ("acceleration", "MN"): 0.639,
    ("acceleration", "RA"): 0.572,
    ("velocity", "MN"): 0.764,
    ("velocity", "RA"): 0.683,
    ("dispersion", "MN"): 0.555,
    ("dispersion", "RA"): 0.495,
}


@pytest.mark.parametrize(("name", "coder"), PICTURES)
def test_fixations_on_pictures(recordings, name, coder):
    trials = recordings("img", coder)
    assert len(trials) == 14
    found, ratio = agreement(trials, name)
    assert found == pytest.approx(PICTURES[name, coder], abs=0.003)
    assert 0.9 < ratio < 1.05


def test_coders_agree_with_each_other_more_than_with_any_detector(recordings):
    both = [recordings("img", coder) for coder in ("MN", "RA")]
    pairs = [(a == FIXATION, b == FIXATION) for (_, a), (_, b) in zip(*both, strict=True) if len(a) == len(b)]
    assert len(pairs) >= 13
    assert kappa(*(np.concatenate(side) for side in zip(*pairs, strict=True))) > max(PICTURES.values())


@pytest.mark.parametrize("name", DETECTORS)
def test_no_detector_tells_pursuit_from_fixation(recordings, name):
    """On moving dots people pursue: what is slow is a fixation to all of these, so that video needs care."""
    found, ratio = agreement(recordings("dots", "MN"), name)
    assert found < 0.1
    assert ratio > 3
