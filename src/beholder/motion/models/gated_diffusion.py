"""Luminance-gated diffusion: two areas whose pooling is confined to places of like luminance."""

from __future__ import annotations

from beholder.core.cite import source
from beholder.errors import Misuse
from beholder.motion.models._cortex import LIMITS, TUNED_ON, Cortex, seen_by
from beholder.motion.types import Areas, Movie

WIDTH = 5.0  # px: the Gaussian of MT, wider than that of `feedback` because the gates hold it (ours)


@source(
    "Tlapale2010",
    family="feedback",
    dynamics="recurrent",
    ms_per_step="20",
    tuned_on=TUNED_ON,
    limits=LIMITS,
)
def gated_diffusion(movie: Movie, *, gain: float = 13.0, reach: int = 6, bins: int = 4) -> Areas:
    """V1 and MT as in `feedback`, but MT pools only among places of similar luminance, so that motion spreads along a
    figure and not across its edges.

    τ₁ dp₁/dt = −p₁ + N[(k (1 + C p₂))² ∗ G₁] and τ₂ dp₂/dt = −p₂ + N[Σ_y w(x, y) p₁(y)² ∗ G_v], where k is the local
    match, C is `gain`, N is shunting competition, and w is a Gaussian of |x − y|, 5 px wide, times the likeness of the
    luminances at x and y. The likeness uses `bins` of luminance b_k, which overlap and add up to 1, each divided by its
    share of the neighbourhood, so that motion spreads as far in thin figures as in thick ones: Σ_k b_k (G ∗ (b_k p₁²))
    / (G ∗ b_k). With one bin there is no gating. Input, times and ranges are those of `feedback`.

    Deviation: this is inspired by the model of Tlapale, Masson and Kornprobst (2010), not a reimplementation: the
    paper's equations were not available. Each update takes one explicit step with τ₁ = τ₂ = 20 ms.
    """
    if bins < 1:
        raise Misuse(f"got bins={bins}; expected 1 or more")
    return seen_by(Cortex(gain, reach, WIDTH, bins), movie)
