"""What the measures of attention are tried with."""

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

import attention_forecasts as forecasts
import attention_walks as walks
from beholder.attention.maps.blurs import BLURS, Smoothed
from beholder.attention.maps.coarse import CoarseMap, sample_map, thin_grid
from beholder.attention.maps.fixation_maps import continuous_map
from beholder.attention.maps.rates import AT, Rates
from beholder.attention.readouts import Surface
from beholder.attention.types import Controls, Lookers, scanpath
from measure_inputs import Inputs, reordered

_LOOKED_AT = (40, 70)  # more than one square of `emd`


def _wandering(rng, most):
    n = int(rng.integers(0, most))
    x, y = rng.uniform(0, 1, (2, n)) * np.array(_LOOKED_AT[::-1])[:, None]
    return scanpath(x, y, onset_ms=np.arange(n) * 250.0, duration_ms=rng.uniform(50, 400, n))


def _controls(rng):
    points = rng.uniform(0, 1, (12, 2)) * np.array(_LOOKED_AT[::-1])
    names, pictures = np.array(["a", "b"] * 6), np.array(["p", "q", "r"] * 4)
    return Controls(points, names, rng.uniform(0, 900, 12), pictures)


def _gazed(seed):
    """A map (coarse, fine, constant or negative) or a density, and three observers, who may not have looked at all."""
    rng = np.random.default_rng(seed)
    lookers = Lookers({who: _wandering(rng, 6) for who in "abc"}, _LOOKED_AT, 3.0, _controls(rng), dropped=seed % 3)
    kinds = (rng.random(_LOOKED_AT), rng.integers(0, 4, _LOOKED_AT) - 1.0, np.full(_LOOKED_AT, 0.1), None)
    kind = kinds[seed % 4]
    if kind is not None:
        return Surface(kind), lookers
    density = rng.dirichlet(np.ones(2800)).reshape(_LOOKED_AT)
    return Surface(density, np.log(density)), lookers


def _estimated(seed):
    """A density, and three observers."""
    found, lookers = _gazed(4 * seed + 3)
    return found, lookers


def _with_a_blind(found, lookers):
    """A further observer who never looked."""
    return found, replace(lookers, paths={**lookers.paths, "blind": scanpath([], [])})


def _reading_order(lookers):
    """The order of a map of people, pixels that tie in reading order: what no map finds the top of better."""
    people = continuous_map(lookers)
    found = np.empty(people.size)
    found[np.argsort(-people, axis=None, kind="stable")] = np.arange(people.size)[::-1]
    return Surface(found.reshape(people.shape))


_ATTENTION = Inputs(
    pairs=st.integers(0, 999).map(_gazed),
    perfect=None,
    empty=(Surface(np.ones(_LOOKED_AT)), Lookers({"a": scanpath([], [])}, _LOOKED_AT)),
    blurred=_with_a_blind,
    shuffled=lambda found, lookers, rng: (
        found,
        replace(lookers, paths={who: lookers.paths[who] for who in rng.permutation(list(lookers.paths))}),
    ),
    settings={
        "auc": [
            {"controls": "unfixated"},
            {"controls": "shuffled"},
            {"thresholds": "fixated"},
            {"duplicates": "merge"},
        ],
        "sauc": [{"match": "observer"}, {"match": "time"}, {"match": "both", "duplicates": "merge"}],
        "auc_borji": [{"splits": 3, "step": 0.01, "draws": 50}],
        "sauc_mit": [{"pictures": 1, "splits": 3}, {"pictures": 0, "splits": 0}],
        "eer": [{"controls": "shuffled"}],
        "nss": [{"kernel": 1.0}, {"ddof": 1, "duplicates": "merge"}],
        "percentile": [{"ties": "strict"}],
        "hit_rate": [{"kept": 0.5}],
        "fixation_kl": [{"controls": "shuffled", "repeats": 5}],
        "kl": [{"direction": "model-people"}, {"base": 2, "of": "held"}, {"eps": 1e-7}],
        "kl_added": [{"direction": "model-people"}],
        "sim": [{"stretch": True}],
        "cc": [{"of": "held"}],
        "top_auc": [{"top": 0.02}, {"area": "trapezoid"}],
        "information_gain": [{"baseline": "controls"}],
    },
)


_WALKS = Inputs(
    pairs=st.integers(0, 499).map(walks.walked),
    perfect=lambda lookers: lookers.paths["a"],
    empty=walks.NOBODY,
    blurred=walks.with_unknowns,
    shuffled=None,
    settings={
        "string_edit": [{"kind": "levenshtein", "cut": "people"}, {"kind": "lcs"}, {"kind": "hamming", "cut": 2}],
        "string_similarity": [{"kind": "lcs", "areas": walks.LABELS}, {"kind": "hamming"}, {"over": "best", "cut": 2}],
        "mannan": [{"reference": "shuffled"}],
        "multimatch": [{"simplify": True}, {"align": "direction"}, {"over": "medoid"}],
        "scanmatch": [{"step_ms": 50.0}, {"grid": (3, 2), "threshold": 1.0}],
        "subsmatch": [{"window": 3, "letters": 2}, {"axis": "y"}],
        "tde": [{"k": 1, "norm": "rms"}, {"norm": "mean", "reach": "hausdorff"}],
        "string_tde": [{"k": 1}, {"reach": "hausdorff"}],
        "stde": [{"norm": "rms"}, {"norm": "mean"}, {"reach": "hausdorff"}],
        "dtw": [{"normalise": True, "unit": "deg"}],
        "eyenalysis": [{"weights": (1.0, 1.0, 0.1, 0.1)}],
        "scasim": [{"normalise": "durations"}, {"normalise": "fixations"}],
        "sequence_score": [{"areas": 4}, {"bandwidth": 5.0, "cut": "shorter"}],
        "determinism": [{"least": 3}],
    },
)
_DYNAMICS = Inputs(
    pairs=st.integers(0, 499).map(walks.pooled),
    perfect=walks.as_people,
    empty=walks.NOBODY_POOLED,
    blurred=walks.with_nobody,
    shuffled=reordered,
    settings={
        "amplitude_divergence": [{"by": "wasserstein"}, {"by": "ks", "unit": "diagonal"}, {"by": "js"}],
        "direction_divergence": [{"by": "wasserstein"}, {"by": "ks"}, {"by": "kl_model_people"}],
        "joint_divergence": [{"by": "js"}],
    },
)


def _shown(seed):
    """What is kept of three pictures' maps, each as `_gazed` has it, and of those who looked."""
    pairs = [
        sample_map(CoarseMap(found, thin_grid(found.values)), lookers) for found, lookers in map(_gazed, _apart(seed))
    ]
    return [found for found, _ in pairs], [spots for _, spots in pairs]


def _apart(seed):
    return 4 * seed, 4 * seed + 1, 4 * seed + 5  # maps of two kinds


def _with_an_unseen(found, spots):
    """A further picture that nobody fixated."""
    unseen, nobody = Surface(np.full(_LOOKED_AT, 99.0)), Lookers({"a": scanpath([], [])}, _LOOKED_AT)
    further, none = sample_map(CoarseMap(unseen, thin_grid(unseen.values)), nobody)
    return [*found, further], [*spots, none]


_OTHER_PICTURES = Inputs(
    pairs=st.integers(0, 199).map(_shown),
    perfect=None,
    empty=_with_an_unseen([], []),
    blurred=_with_an_unseen,
    shuffled=reordered,
    settings={"other_pictures_kl": [{"bins": 3, "repeats": 2}, {"alpha": 1e-9, "repeats": 5, "seed": 1}]},
)


def _rising(seed):
    """Curves of three pictures, one of which has no controls."""
    rng = np.random.default_rng(seed)
    hits, roc = np.sort(rng.random((2, 3, len(AT))), axis=2)
    roc[seed % 3] = np.nan
    return [Rates(*both) for both in zip(hits, roc, strict=True)], [None] * 3


def _with_an_unknown_curve(found, nobody):
    return [*found, Rates(*np.full((2, len(AT)), np.nan))], [*nobody, None]


_CURVES = Inputs(
    pairs=st.integers(0, 199).map(_rising),
    perfect=lambda pictures: [Rates(*np.ones((2, len(AT)))) for _ in pictures],
    empty=_with_an_unknown_curve([], []),
    blurred=_with_an_unknown_curve,
    shuffled=reordered,
    settings={"mean_hits": [{"kept": 0.5}]},
)


def _at_blurs(seed):
    """Scores of three pictures at each blur, one of which has no controls."""
    found = np.random.default_rng(seed).random((3, 3, len(BLURS)))
    found[seed % 3, 1] = np.nan
    return [Smoothed(*one) for one in found], [None] * 3


def _with_an_unknown_blur(found, nobody):
    return [*found, Smoothed(*np.full((3, len(BLURS)), np.nan))], [*nobody, None]


_SMOOTHING = Inputs(
    pairs=st.integers(0, 199).map(_at_blurs),
    perfect=None,
    empty=_with_an_unknown_blur([], []),
    blurred=_with_an_unknown_blur,
    shuffled=reordered,
    settings={"at_best_blur": [{"by": "auc"}, {"by": "sauc"}]},
)
_OF_SCANPATHS = ("string_edit", "mannan", "multimatch", "scanmatch", "subsmatch", "time_delay", "elastic", "scasim")


INPUTS = {
    "attention": _ATTENTION,
    "attention.maps": _ATTENTION._replace(perfect=lambda lookers: Surface(continuous_map(lookers))),
    "attention.histogram.other_pictures_kl": _OTHER_PICTURES,
    "attention.regions": _ATTENTION._replace(perfect=_reading_order),
    **{f"attention.{family}": _WALKS for family in (*_OF_SCANPATHS, "sequence_score")},
    "attention.recurrence": _WALKS._replace(perfect=None),
    "attention.dynamics": _DYNAMICS,
    "attention.curves": _CURVES,
    "attention.smoothing": _SMOOTHING,
    "attention.conditional": Inputs(
        pairs=st.integers(0, 299).map(forecasts.foretold),
        perfect=None,
        empty=forecasts.NOBODY,
        blurred=forecasts.with_a_blind,
        shuffled=forecasts.in_another_order,
        settings=forecasts.SETTINGS,
    ),
    "attention.information": _ATTENTION._replace(pairs=st.integers(0, 249).map(_estimated)),
}
