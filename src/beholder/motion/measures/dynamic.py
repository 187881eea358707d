"""How motion perception gets there: the course of the direction error, and what it does over lengths and sizes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from beholder.core.measure import NotApplicable, Result, State, measure
from beholder.core.sample import worst
from beholder.errors import Misuse
from beholder.motion.courses.bars import (
    evolves,
    half_life,
    initial,
    of_longest,
    of_one_speed,
    passing,
    peak,
    slope,
)
from beholder.motion.courses.chance import record_of_observers
from beholder.motion.courses.decays import (
    average_score,
    decays,
    describe_doubts,
    interval,
    is_plain_diamond,
    no_plain_diamond,
    parts,
)
from beholder.motion.courses.fit import PARAMETERS
from beholder.motion.courses.gratings import (
    grows_with_size,
    responses,
    saturates,
    share,
    strongest,
    suppression,
    windows,
)
from beholder.motion.courses.series import (
    card_of_checks,
    check,
    grows,
    no_tilted_bar,
    other_than,
    series,
    share_passed,
    stimuli_of,
    tilted,
)
from beholder.motion.courses.summation import FLAT, summation
from beholder.motion.measures.static import Mode
from beholder.motion.readouts import trace
from beholder.motion.references import HUMAN_EXPECTATION, name_placeholders, normal, record
from beholder.motion.types import SOME, Percept, Trace

BARS = {  # the record behind each check
    "longer_more": "bar.length",
    "longer_later": "bar.length",
    "tiles_less": "bar.tiles",
    "evolution": "bar.evolution",
}
GRATINGS = {
    "saturates": "grating.saturation",
    "widens": "grating.growth",
    "contrast": "grating.low_contrast",
    "delayed": "grating.normalisation",
}
LOOK = ("grating.windows",)  # all of them are read in these windows


@measure(
    better="higher",
    bounds=(0, 1),
    cite="Tlapale2012,MassonStone2002",
    reads=trace,
    per="dataset",
    resample="direction",
    person=HUMAN_EXPECTATION,
    excludes=no_plain_diamond,
    parts=dict.fromkeys(("score_alpha", "score_beta", "score_tau"), "higher"),
)
def diamond_dynamics(
    found: Sequence[Trace],
    percepts: Sequence[Percept],
    *,
    mode: Mode = "tlapale2012",
    reference: str = "",
    draws: int = 200,
) -> Result:
    """The dynamic score of diamonds of Tlapale et al. (2012): how closely the decay of their error matches people's.

    For each direction of motion |ε(t)| is averaged over the clockwise and the counter-clockwise figure and fitted by α
    exp(−t/τ) + β on 0 … 450 ms, from the onset of the response; s_η = exp(−(η − μ_η)²/σ_η²), averaged over η ∈ {α, β,
    τ} and the directions. Without a visible decay α = 0, τ is undefined and s_τ = 0. In the mode "signed" ε keeps its
    sign, positive towards the vector average, so that a bias away from it cannot pass as human. The interval covers the
    residuals of the fits, the directions and the people, whose mean is N(μ, σ²/n); n is that of the record or else the
    smallest of `diamond.observers`. Controls (type I, textured, low contrast) are left out; no diamond: not applicable.
    Where fewer than five time points have a direction the score is 0, with low confidence. A typical person scores
    0.577. The status is the worst of the three records', and of `diamond.observers` where the interval rests on it.
    Parts, means over directions: alpha and beta in degrees and tau in seconds, each with its own 95 % interval over
    residuals (lo, hi); latency (s), r2, shape, the three scores; asymmetry, the difference between the two turns in
    degrees; and the three scores of each direction.

    >>> right = Percept("diamond", object_direction=0.0, speed=10.0, vector_average=44.0)
    >>> still = Trace(np.arange(45) / 100, np.tile([10.0, 0.0], (45, 1)), np.ones(45))
    >>> round(diamond_dynamics([still], [right]).value, 2)  # (exp(−(40/20)²) + 1 + 0)/3
    0.34
    """
    if mode not in ("tlapale2012", "signed"):
        raise Misuse(f"got mode={mode!r}; expected 'tlapale2012' or 'signed'")
    those = [one for one in stimuli_of(found, percepts, "diamond") if is_plain_diamond(one)]
    if not those:
        raise NotApplicable("none of these diamonds is of type II, untextured and of full contrast")
    of = [normal(f"diamond.{name}", reference) for name in PARAMETERS]
    window = record("diamond.window", reference).high
    own = decays(those, absolute=mode == "tlapale2012", window=window, draws=draws)
    lo, hi = interval(own, of, record("diamond.observers", reference).low)
    used = [*of, *record_of_observers(of, "diamond.observers", reference)]
    status, named = worst([one.worst for one in used]), name_placeholders({one.id: one for one in used})
    state: State = "low" if any(one.curve is None or one.curve.status == "poor_fit" for one in own) else "ok"
    reason = "; ".join(filter(None, [describe_doubts(own), named]))
    return Result(average_score(own, of), parts(own, of), state, reason, lo, hi, status)


@measure(cite="Tlapale2012,Born2006,Wilson1927", reads=trace, excludes=no_tilted_bar, **card_of_checks(BARS))
def bar_dynamics(found: Sequence[Trace], percepts: Sequence[Percept], *, reference: str = "") -> Result:
    """The share of four facts on tilted bars that hold: #{passed} / #{testable}.

    The rule of Tlapale et al. (2012) is not known; it gives models without dynamics half of the score or more.

    All four concern a transient error: ε starts towards the normal, by more than 2° in the first 50 ms of the response,
    and its time course fits a decay better than a constant with noise (as for diamonds: α, residuals, BIC). Where ε is
    within 2° on average there is no error, and its peak and duration count as 0; a lasting error has neither, and fails
    every fact that needs them. longer_more: the peak of ε grows with length, with steps ≥ −2°. longer_later: so does
    the time from the peak until ε ≤ peak/2, by more than one frame; if the error of a bar never falls that far, the
    fact fails. tiles_less: the peak falls with the number of tiles at the same length. These three are tested at one
    speed: that of most tilted bars, or the fastest if several are equally common. evolution: the error of every tilted
    bar is transient, and has fallen by 90 % within 50 to 400 ms. A fact whose series is missing is left out (NaN); no
    bar, or no fact: not applicable. The facts are from macaques.

    Parts that are not scored, at that speed: peak, the peak error of the longest bars in degrees (see `bar_peak`); and
    how much the error changes when the length or the number of tiles doubles: error_length and error_tiles (degrees,
    first 50 ms), peak_length and peak_tiles (degrees, peak), half_life_length (seconds). NaN where undefined for a bar.
    The interval is Wilson's, for a proportion of few facts.

    >>> short, long = ({"length": length, "tiles": 1.0} for length in (5.0, 10.0))
    >>> bars = [Percept("bar", 0.0, 16.0, vector_average=45.0, conditions=its) for its in (short, long)]
    >>> flat = Trace(np.arange(45) / 100, np.tile([16.0, 0.0], (45, 1)), np.ones(45))
    >>> bar_dynamics([flat, flat], bars).value
    0.0
    """
    those = [one for one in stimuli_of(found, percepts, "bar") if tilted(one.percept)]
    if not those:
        raise NotApplicable("none of these bars is tilted against its motion")
    alike = of_one_speed(those)
    whole = [one for one in alike if one.condition("tiles") == 1]
    tiled = of_longest(alike)
    span, frame = record("bar.evolution", reference), _frame(those[0].trace)
    its = {id(one): passing(one) for one in those}  # a fit each
    held = share_passed(
        {
            "longer_more": grows(series(whole, "length", lambda one: its[id(one)].peak)[1], tolerance=SOME),
            "longer_later": grows(series(whole, "length", lambda one: its[id(one)].half_life)[1], tolerance=frame),
            "tiles_less": grows(-series(tiled, "tiles", lambda one: its[id(one)].peak)[1], tolerance=SOME),
            "evolution": float(all(evolves(one, its[id(one)], span) for one in those)),
        },
        facts=BARS,
        reference=reference,
    )
    slopes = {
        f"{word}_{name}": slope(some, name, of)
        for name, some in (("length", whole), ("tiles", tiled))
        for word, of in (("error", initial), ("peak", peak), *((("half_life", half_life),) if name == "length" else ()))
    }
    longest = series(whole, "length", peak)[1][-1] if whole else np.nan
    return held._replace(parts={**held.parts, "peak": longest, **slopes})


def _frame(of: Trace) -> float:
    """The seconds between two instants; 0 where there is only one."""
    return float(np.median(np.diff(of.seconds))) if len(of.seconds) > 1 else 0.0


@measure(
    cite="Tlapale2012,Barthelemy2006,Wilson1927",
    reads=trace,
    excludes=other_than("grating"),
    **card_of_checks(GRATINGS),
)
def grating_dynamics(
    found: Sequence[Trace], percepts: Sequence[Percept], *, remembered: bool = True, reference: str = ""
) -> Result:
    """The share of four facts on the size of gratings that hold: #{passed} / #{testable}.

    R(d) = ∫|v|dt for a disc of diameter d in the windows 0–40, 40–80 and 80–120 ms after the onset of the response,
    taken from the first disc to respond. The sources name no windows; these are our choice. The record
    `grating.windows` holds their ends, and its status joins that of the facts. d* is the smallest diameter within 5 %
    of the strongest R; smaller differences over size count as none. saturates: in the first window R grows up to d*,
    which is not the largest disc, by more than the jitter of speeds (three standard deviations, from their second
    differences over time), and beyond d* falls by at most 25 % of the strongest. widens: d* grows from the first window
    to the last without falling in between, and R(d*)/max R at the first d* falls by more than 5 %; otherwise a response
    right at the limit would pass. contrast: d* is larger at low contrast, by the same two rules; quoted from memory,
    and left out unless `remembered`. delayed: 1 − R(d_max)/max R < 0.1 in the first 20 ms, the value of
    `grating.normalisation`, and larger in the last window. The score is 0 where R does not grow with size, as in models
    whose mean speed is the same for all sizes. Fewer than three diameters, or no grating: not applicable. Parts that
    are not scored, in degrees: size, d* of the first window; centre and surround, w_c and w_s of the ratio of Gaussians
    fitted to it (five diameters or more, NaN where R does not grow). The interval is Wilson's, for a proportion of few
    facts.

    Deviation: d* must grow by the last window; a rule that d* must not fall would let a constant d* pass.

    >>> discs = [Percept("grating", 0.0, 37.0, conditions={"diameter": d, "contrast": 1.0}) for d in (5, 10, 20)]
    >>> same = Trace(np.arange(20) / 100, np.tile([37.0, 0.0], (20, 1)), np.ones(20))
    >>> grating_dynamics([same] * 3, discs).value
    0.0
    """
    those = stimuli_of(found, percepts, "grating")
    levels = [one.condition("contrast") for one in those]
    high, low = ([one for one in those if one.condition("contrast") == at] for at in (max(levels), min(levels)))
    if len(series(high, "diameter", lambda _: 0.0)[0]) < 3:
        raise NotApplicable("these gratings have fewer than three diameters, too few to show growth with size")
    looks = windows(reference)
    best = [strongest(high, *window) for window in looks]
    grown = all(grows_with_size(high, *window) for window in looks)
    faint = np.nan if not remembered or max(levels) == min(levels) or len(low) < 3 else strongest(low, *looks[0])
    shown = ((high, looks[0]), (high, looks[-1]), (low, looks[0]))
    first, last, weak = (share(some, best[0], *look) for some, look in shown)
    unfelt = record(GRATINGS["delayed"], reference).value  # s: until then the surround is not felt
    early, late = suppression(high, 0, unfelt), suppression(high, *looks[-1])
    shape = summation(*responses(high, *looks[0]))
    held = share_passed(
        {
            "saturates": float(saturates(high, *looks[0])),
            "widens": float(grown and best == sorted(best) and best[-1] > best[0] and first - last > FLAT),
            "contrast": check(grown and faint > best[0] and first - weak > FLAT, faint, weak),
            "delayed": float(grown and early < 0.1 < late),
        },
        facts=GRATINGS,
        common=LOOK,
        reference=reference,
    )
    sizes = {"size": best[0], "centre": shape.centre, "surround": shape.surround}
    return held._replace(parts={**held.parts, **sizes})
