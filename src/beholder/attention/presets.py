"""How known benchmarks score: which measures, against what, with which thresholds and guards.

A preset is the setting `preset=` of `attention/saliency`; the default, `beholder`, is ours. The names of its measures
hold it, because the same word means different numbers: `auc(preset=tuebingen)` and `auc_judd(preset=mit-matlab)` never
meet in one verdict. A setting is written before it where a preset has a measure several times:
`top_auc(top=0.05,preset=seed)`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from beholder.attention.measures.auc import auc, auc_borji, auc_judd, eer, sauc, sauc_mit
from beholder.attention.measures.histogram import fixation_kl
from beholder.attention.measures.hit_rate import hit_area, hit_rate
from beholder.attention.measures.information import information_gain, log_likelihood
from beholder.attention.measures.maps import cc, emd, kl, kl_added, sim, spearman
from beholder.attention.measures.nss import nss, percentile
from beholder.attention.measures.regions import TOPS, top_auc
from beholder.core.measure import Measure, fix
from beholder.errors import Misuse
from beholder.registry.find import nearest


@dataclass(frozen=True)
class Preset:
    """The measures of a published benchmark, with its settings."""

    name: str
    measures: tuple[Measure, ...]  # judged
    extra: tuple[Measure, ...]  # reported beside
    about: str


def preset(name: str) -> Preset:
    """Look up a preset by name.

    >>> [of.card.label for of in preset("salicon").measures]
    ['auc_borji(preset=salicon)', 'sauc_mit(preset=salicon)', 'nss(preset=salicon)', 'cc(preset=salicon)']
    """
    word = name.replace("_", "-")
    if word not in PRESETS:
        raise Misuse(f"no preset called {name!r}{nearest(word, PRESETS)}")
    return PRESETS[word]()


def beholder() -> Preset:
    """Ours: the Tübingen benchmark's measures, set so that a blind answer earns nothing and people have every score.

    Maps are blurred with a reflected border, so a uniform answer has a CC of 0. CC, KL and SIM compare with each half
    of the people in turn, so the other half is their ceiling. The shuffled AUC reads densities as it reads maps.
    """
    return _of_densities(
        "beholder",
        "against all pixels or all fixations on other pictures, ties count half; observers have equal weight; "
        "map-to-map measures compare with each half of the people in turn",
        of="halves",
    )


def tuebingen() -> Preset:
    """Today's MIT/Tübingen benchmark: all pixels or all other fixations, ties half; maps are 0 beyond the border.

    Deviation: it takes IG against its own centre-bias model; here IG is against a uniform density, and, reported but
    not judged, against the fixations on other pictures. It averages over the fixations of a picture; here the average
    is over each observer's fixations and then over observers, so that observers have equal weight (on MIT1003 a model's
    AUC and NSS differ by up to 0.005 and 0.04). Its shuffled AUC divides densities by those of other pictures; here
    that is reported but not judged, because maps cannot have it.
    """
    return _of_densities(
        "tuebingen",
        "against all pixels or all fixations on other pictures, ties count half; observers have equal weight; maps "
        "are 0 beyond the border",
        border="constant",
    )


def _of_densities(name: str, about: str, **between: Any) -> Preset:
    """The measures of the Tübingen benchmark; `between` sets those that compare two maps."""
    under = _Under(name)
    alone = (under(information_gain), under(auc), under(sauc), under(nss))
    judged = (*alone, *(under(of, **between) for of in (cc, kl, sim)))
    beside = (
        under(information_gain, named=True, baseline="controls"),
        under(log_likelihood),
        under(sauc, named=True, prior="removed"),
    )
    return Preset(name, judged, beside, about)


def mit_matlab() -> Preset:
    """The MIT benchmark's MATLAB code: each fixated pixel once, three kinds of AUC, maps stretched for SIM.

    Deviation: no random jitter, no resizing of maps, and no IG, because that code takes stretched maps for densities.
    """
    under = _Under("mit-matlab")
    return Preset(
        under.preset,
        (
            under(auc_judd),
            under(auc_borji),
            under(sauc_mit),
            under(nss, ddof=1, duplicates="merge"),
            under(cc, border="constant"),
            under(kl, border="constant"),
            under(sim, stretch=True, border="constant"),
        ),
        (under(emd, border="constant"),),
        "each fixated pixel once; AUC by Judd, by Borji and shuffled over ten pictures, without jitter; maps are 0 "
        "beyond the border",
    )


def salicon() -> Preset:
    """SALICON's server: 100 000 random pixels and thresholds in steps of 0.01; shuffled against all other fixations.

    Deviation: the server draws new pixels each time; here they follow from the seed and the fixations.
    """
    under = _Under("salicon")
    return Preset(
        under.preset,
        (
            under(auc_borji, splits=1, step=0.01, draws=100_000),
            under(sauc_mit, pictures=0, splits=0, step=0.01),
            under(nss),
            under(cc),
        ),
        (),
        "AUC against 100 000 random pixels and shuffled against all other fixations, in steps of 0.01",
    )


def seed() -> Preset:
    """The measures of Le Meur & Baccino, with misprinted formulas corrected (see each docstring).

    Shuffled controls are of the same observer and time; the divergence is D(model‖people), with ε added to both.
    """
    under = _Under("seed")
    tops = [under(top_auc, named=True, top=top, area="trapezoid") for top in TOPS]
    return Preset(
        under.preset,
        (
            under(cc),
            under(kl_added, direction="model-people"),
            tops[-1],
            under(hit_area),
            under(sauc, match="both"),
            under(nss),
            under(percentile, ties="strict"),
            under(fixation_kl),
        ),
        (
            *tops[:-1],
            under(auc),
            under(eer),
            under(hit_rate),
            under(spearman),
            under(fixation_kl, named=True, controls="shuffled"),
        ),
        "Le Meur & Baccino's map-to-map, ROC, hit-rate, NSS, percentile and divergence measures, misprints corrected",
    )


PRESETS: dict[str, Callable[[], Preset]] = {
    "beholder": beholder,
    "tuebingen": tuebingen,
    "mit-matlab": mit_matlab,
    "salicon": salicon,
    "seed": seed,
}


@dataclass(frozen=True)
class _Under:
    """Measures under a preset: with its settings, and named after it."""

    preset: str

    def __call__(self, of: Measure, /, *, named: bool = False, **settings: Any) -> Measure:
        """`named` writes the first setting into the name, where the preset has the measure several times."""
        shown = dict(list(settings.items())[: int(named)])
        return fix(of, {**shown, "preset": self.preset}, **settings)
