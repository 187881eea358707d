"""Figure 2 of Zanca et al. (2020): two wrong orders of three places, which edits tie and amplitudes tell apart."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from beholder.attention.gaze.saccades import moves
from beholder.attention.measures.dynamics import amplitude_divergence
from beholder.attention.measures.string_edit import string_edit
from beholder.attention.types import Lookers, Scanpath, scanpath
from beholder.claims.claim import Claim

PLACES = {"A": (200.0, 300.0), "B": (320.0, 300.0), "C": (260.0, 60.0)}  # |AB| = 120 px, |AC| = |BC| = 247 px


def figure_two() -> Claim:
    """Edit distance ties the two synthetic paths of the paper's figure 2, and the divergence of amplitudes does not."""
    human = Lookers({"human": route("ABC", PLACES)}, (400, 520))
    edits = [string_edit(route(path, PLACES), human, areas=(13, 10)).value for path in ("ACB", "BAC")]
    kl = [amplitude_divergence([moves([route(path, PLACES)])], [human]).parts["kl"] for path in ("ACB", "BAC")]
    preferred = preferences(np.random.default_rng(0))
    ours = (
        f"edits {edits[0]:g} and {edits[1]:g}; KL {kl[0]:.3f} and {kl[1]:.3f} where C is as far from A as from B. Of "
        f"500 random triangles with A and B closest, the binned KL prefers B→A→C in {preferred['kl']:.0%} and ties "
        f"in {preferred['kl tie']:.0%} (AC and BC fall in different bins); the distance without bins (Wasserstein) "
        f"prefers it in {preferred['wasserstein']:.0%}"
    )
    says = "A→B→C against A→C→B and B→A→C: one exchange each, but the amplitudes prefer B→A→C"
    return Claim(says, "Figure 2 (drawn without numbers)", ours, edits == [1, 1] and kl[1] < kl[0])


def route(path: str, places: Mapping[str, tuple[float, float]]) -> Scanpath:
    """A scanpath over named places."""
    return scanpath(*zip(*(places[letter] for letter in path), strict=True))


def preferences(rng: np.random.Generator, count: int = 500) -> dict[str, float]:
    """Shares of random triangles, A and B the two nearest places, in which B→A→C is preferred to A→C→B."""
    found = {"kl": 0, "kl tie": 0, "wasserstein": 0}
    for _ in range(count):
        places = triangle(rng)
        human = [Lookers({"human": route("ABC", places)}, (400, 520))]
        long, short = (amplitude_divergence([moves([route(path, places)])], human).parts for path in ("ACB", "BAC"))
        found["kl"] += short["kl"] < long["kl"] - 1e-12
        found["kl tie"] += abs(short["kl"] - long["kl"]) <= 1e-12
        found["wasserstein"] += short["wasserstein"] < long["wasserstein"]
    return {name: number / count for name, number in found.items()}


def triangle(rng: np.random.Generator) -> dict[str, tuple[float, float]]:
    """Three places in a picture of 520 × 400 px, named so that A and B are the two nearest."""
    points = rng.random((3, 2)) * [520, 400]
    sides = [np.hypot(*(points[(at + 1) % 3] - points[(at + 2) % 3])) for at in range(3)]
    apart = int(np.argmin(sides))  # C lies across from the shortest side
    a, b = rng.permutation([(apart + 1) % 3, (apart + 2) % 3])
    return {name: (float(points[at, 0]), float(points[at, 1])) for name, at in zip("ABC", (a, b, apart), strict=True)}
