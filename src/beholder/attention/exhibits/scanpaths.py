"""Gaze of people and of models on the same pictures or films: can people tell them apart?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from beholder.attention.exhibits import _asking
from beholder.attention.exhibits._asking import FROM_FIXATIONS, HUMAN, REVERSED, SAID, SYNTHETIC, Plan
from beholder.attention.exhibits._looks import Look, from_dataset, from_table
from beholder.attention.exhibits._walks import Walker, drift_of, sight, walkers
from beholder.attention.maps.features import ASSUMED
from beholder.attention.types import Floats
from beholder.core.cite import source
from beholder.core.randomness import rng_for
from beholder.engines.progress import Silent, Watch
from beholder.errors import Misuse
from beholder.study.design.exhibition import UNLIKE, Exhibition, Film, Piece, Pixels, Still
from beholder.study.design.file import Trial, Trials
from beholder.study.design.tracks import BLINK, SLOWEST, Trace, bridged, from_fixations, gap_fault, longest_gap, track
from beholder.study.design.wording import FORM, GROUPS, KNOWLEDGE

SECONDS, FILM_SECONDS = 5.0, 17.0  # at most, if nobody says otherwise: Zanca et al. (2020)
HERTZ = 50.0
STEP = 0.25  # s: durations are cut to a multiple of this
SHORT = 0.1  # share of pictures on which half of the people, or more, looked for less long than is shown
PRACTICE, CHECKS = 2, 2
Rendering = Literal["fixations", "raw"]
RENDERINGS: tuple[Rendering, ...] = ("fixations", "raw")
RARE, FEW = 10, 8  # one control of each kind in so many trials; none where there are fewer trials than this


class _Folders(NamedTuple):
    """Where pictures and films are shown from."""

    pictures: Path | None
    videos: Path | None


@source("Zanca2020")
def scanpaths(  # noqa: PLR0913  (settings of an exhibit)
    *,
    dataset: str | Sequence[str] = (),
    model: str | Sequence[str] = ("gravity",),
    pictures: Path | None = None,
    videos: Path | None = None,
    gaze: Path | None = None,
    px_per_deg: float = ASSUMED,
    seconds: float = 0.0,
    film_seconds: float = 0.0,
    hertz: float = 0.0,
    people: int = 1,
    limit: int = 60,
    count: int = 20,
    controls: bool = True,
    rendering: Rendering = "fixations",
    trial: Trial = "yes_no",
    seed: int = 0,
    watch: Watch | None = None,
) -> Exhibition:
    """A red dot moves as a person or a model looked: who made it?

    `dataset` names datasets with their paths, as --dataset takes them; or `gaze` is a table of samples (stimulus,
    observer, time_ms, x, y), with `px_per_deg`. The folders `pictures` and `videos`, if given, limit what is shown to
    their contents. `model` names scanpath models as --model takes them. At most `limit` pictures and `limit` films are
    shown. Each comes with the tracks of `people` people and one track of every model, and with two controls: a person's
    fixations with synthetic saccades, and a person's track backwards. A participant sees `count`.

    All tracks of a kind of stimulus have the same length: `seconds` (films: `film_seconds`). If not given, it is as
    long as the recordings allow: on nine of ten pictures, half of the people or more looked for that long; at most 5 s
    (films: 17 s). They have the same rate, `hertz` (50, or that of the slowest recording), and the same smoothing.
    Models begin where a person began on the same picture.

    `rendering` is how tracks are shown. With fixations, people and models are both shown by their fixations, joined by
    the same synthetic saccades, which last as long as the main sequence says, with a drift of 0.08 deg. Then they
    differ only in where they look, when, and for how long. A model that moves continuously, such as gravity, is shown
    by the fixations of its trajectory. Trials without a fixation for longer than a blink, 0.4 s, are left out. With
    raw, as in the source, people are shown as recorded and such models as they move. Where only people's fixations are
    known, these are joined by synthetic saccades and labelled 'human fixations, synthetic saccades'. Blinks up to 0.4 s
    are then bridged, and trials with longer gaps are left out.
    """
    watch = watch or Silent()
    specs = [dataset] if isinstance(dataset, str) else list(dataset)
    named = [model] if isinstance(model, str) else list(model)
    _refuse_numbers(people=people, limit=limit, count=count)
    folders = _Folders(*(place and Path(place).expanduser() for place in (pictures, videos)))
    if rendering not in RENDERINGS:
        raise Misuse(f"got rendering={rendering}; expected {' or '.join(RENDERINGS)}")
    looks = _chosen(_looks(specs, gaze, folders, px_per_deg), limit, seed)
    if rendering == "fixations":  # recordings are then not shown
        looks = [replace(look, traces={}, hertz=np.inf) for look in looks]
    lengths = _lengths(looks, {"picture": seconds, "film": film_seconds})
    plan = Plan(_rate(looks, hertz), lengths, seed, rendering == "raw")
    makers = {key: walkers(named, its) for key, its in {id(look.dataset): look.dataset for look in looks}.items()}
    lasts = _durations(looks)
    pieces: list[Piece] = []
    left: dict[str, list[str]] = {}
    watch.begin("study: gaze of people and models", len(looks), 0)
    for look in looks:
        made = _people(look, plan, people=people, controls=controls and trial != "two_alternative", left=left)
        if made:
            made += _models(look, makers[id(look.dataset)], plan, lasts=lasts, left=left)
        pieces += made
        watch.step(failed=not made)
    pieces, trials = _arranged(pieces, count, trial, left=left, seed=seed)
    return Exhibition(
        title="Who looked there: a person or a computer?",
        questions=(_asking.question(trial),),
        instructions=_asking.instructions(looks, trial, plan, trials),
        pieces=[*pieces, *_asking.checks(pieces, looks, trial)],
        trial=trial,
        right=_asking.right(trial),
        trials=trials,
        debrief=_asking.debrief(looks, plan, pieces),
        study={"form": [*FORM, KNOWLEDGE], "groups": GROUPS, "seed": seed},
        about={
            **_asking.about(looks, named, plan, people),
            UNLIKE: _asking.against(looks, named, plan, trials),
        },
        remarks=(
            *_asking.remarks(looks, left, trials, count, plan),
            *_asking.unlike(looks, [walker for own in makers.values() for walker in own], plan),
        ),
    )


def _refuse_numbers(**given: int) -> None:
    for name, value in given.items():
        if value < 1:
            raise Misuse(f"got {name}={value}; expected 1 or more")


def _looks(specs: Sequence[str], gaze: Path | None, folders: _Folders, px_per_deg: float) -> list[Look]:
    if bool(specs) == bool(gaze):
        raise Misuse(
            f"got {'both a dataset and a table of' if gaze else 'no'} eye movements; expected --dataset NAME[:PATH], "
            "or gaze=TABLE with the columns stimulus, observer, time_ms, x, y; --dataset simulated needs nothing else"
        )
    pictures, videos = folders
    found = [look for spec in specs for look in from_dataset(spec, pictures=pictures, videos=videos)]
    if gaze:
        table = Path(gaze).expanduser()
        found = list(from_table(table, pictures=pictures, videos=videos, px_per_deg=px_per_deg))
    if not found:
        inside = f" in {pictures or videos}, by their names" if pictures or videos else ""
        raise Misuse(
            "got no stimulus that has both a recording and a file; expected pictures or films of "
            f"{', '.join(specs) or gaze}{inside}"
        )
    return found


def _chosen(looks: Sequence[Look], limit: int, seed: int) -> list[Look]:
    """At most so many pictures and so many films, by chance."""
    rng = rng_for(seed, "which")
    kept = []
    for stimulus in ("film", "picture"):
        own = [look for look in looks if look.stimulus == stimulus]
        kept += [own[at] for at in sorted(rng.permutation(len(own))[:limit])]
    return kept


def _rate(looks: Sequence[Look], hertz: float) -> float:
    slowest = min(look.hertz for look in looks)
    rate = hertz or min(HERTZ, slowest)
    if slowest < SLOWEST - 0.5:
        raise Misuse(
            f"got gaze recorded at {slowest:g} Hz; expected {SLOWEST:g} or more, because slower gaze visibly jumps"
        )
    return max(rate, SLOWEST) if not hertz else rate


def _lengths(looks: Sequence[Look], asked: Mapping[str, float]) -> dict[str, float]:
    """How long pictures and films are shown."""
    found = {}
    for stimulus, most in (("picture", SECONDS), ("film", FILM_SECONDS)):
        own = [look for look in looks if look.stimulus == stimulus]
        middles = [min(float(np.median(ends)), look.seconds) for look in own if (ends := _ends(look))]
        if own and not middles:
            raise Misuse(
                f"got no {stimulus} that anybody looked at for a known time; expected recordings with durations"
            )
        if own:
            long = min(most, float(np.quantile(middles, SHORT)))
            found[stimulus] = asked[stimulus] or max(STEP, STEP * float(np.floor(long / STEP)))
    return found


def _ends(look: Look) -> list[float]:
    if look.recorded:
        return [trace.end for trace in look.traces.values()]
    return [end for who in look.paths if (end := _own_fixations(look, who, 0).end) > 0]


def _durations(looks: Sequence[Look]) -> Floats:
    """How long people fixate, in s."""
    every = np.concatenate([np.empty(0), *(path.duration_ms for look in looks for path in look.paths.values())]) / 1000
    known = every[np.isfinite(every) & (every > 0)]
    return known if len(known) else np.array([0.25])


def _own_fixations(look: Look, who: str, seed: int) -> Trace:
    """A person's fixations, joined by synthetic saccades."""
    path = look.paths.get(who)
    if path is None or not len(path) or not np.isfinite(path.duration_ms).all():
        return Trace(np.empty(0), np.empty((0, 2)))
    times, onset = path.duration_ms / 1000, path.onset_ms / 1000
    return from_fixations(path.points, times, onset=onset, px_per_deg=look.px_per_deg, rng=drift_of(look, seed))


def _people(look: Look, plan: Plan, *, people: int, controls: bool, left: dict[str, list[str]]) -> list[Piece]:
    """Tracks of some people, and their controls."""
    length = plan.seconds[look.stimulus]
    made: list[Piece] = []
    for who in rng_for(plan.seed, "who", look.id).permutation(sorted(look.traces or look.paths)).tolist():
        if sum(piece.kind == HUMAN for piece in made) == people:
            break
        trace, why = _trace_of(look, who, length, plan.seed)
        if why:
            left.setdefault(why, []).append(f"{look.id} of {who}")
            continue
        note = "" if look.recorded else SAID[FROM_FIXATIONS]
        made.append(_piece(look, trace, plan, kind=HUMAN, system=who, note=note))
        backwards = trace.until(length).reversed()
        made += [_piece(look, backwards, plan, kind=REVERSED, system=who, note=_and(SAID[REVERSED], note))] * controls
        fixed = _own_fixations(look, who, plan.seed) if controls and look.recorded else None
        if fixed is not None and fixed.end >= length:
            made.append(_piece(look, fixed, plan, kind=FROM_FIXATIONS, system=who, note=SAID[FROM_FIXATIONS]))
    return made


def _trace_of(look: Look, who: str, length: float, seed: int) -> tuple[Trace, str]:
    """A person's trace, and why it cannot be shown, if so."""
    if not look.recorded:
        trace = _own_fixations(look, who, seed)
        if trace.end < length:
            return trace, f"shorter than {length:g} s"
        path = look.paths[who]
        held = path.onset_ms - path.onset_ms[0] < 1000 * length
        gap = longest_gap(path.duration_ms[held] / 1000, path.onset_ms[held] / 1000)
        return trace, "without a fixation for longer than a blink" if gap > BLINK else ""
    trace = look.traces[who]
    if trace.end < length - 1 / look.hertz:
        return trace, f"shorter than {length:g} s"
    why = gap_fault(trace.until(length))
    return (trace, why.partition(" for ")[0]) if why else (bridged(trace), "")


def _models(
    look: Look, makers: Sequence[Walker], plan: Plan, *, lasts: Floats, left: dict[str, list[str]]
) -> list[Piece]:
    """A track of every model; one that a model cannot make is left out, with its reason."""
    length = plan.seconds[look.stimulus]
    starts, shown = _starts(look), sight(look, seconds=length, seed=plan.seed, raw=plan.raw)
    made = []
    for one in makers:
        rng = rng_for(plan.seed, look.id, one.name)
        start = starts[rng.integers(len(starts))]
        try:
            walks = (one.walk(shown, start, lasts=lasts, rng=rng) for _ in range(one.tries))
            walk = next((walk for walk in walks if walk.trace.end >= length), None)
        except Misuse:
            raise
        except (ValueError, TypeError, LookupError, ArithmeticError, NotImplementedError) as fault:
            left.setdefault(f"refused by {one.name} ({type(fault).__name__}: {fault})", []).append(look.id)
            continue
        if walk is None:
            left.setdefault(f"fixations of {one.name} last less than {length:g} s in total", []).append(look.id)
            continue
        made.append(_piece(look, walk.trace, plan, kind=SYNTHETIC, system=one.name, note=_and(*walk.notes)))
    return made


def _starts(look: Look) -> Floats:
    """(n, 2): where people began."""
    if look.recorded:
        firsts = [bridged(trace).points[0] for trace in look.traces.values() if not gap_fault(trace)]
    else:
        firsts = [path.points[0] for path in look.paths.values() if len(path)]
    within = np.nextafter(np.array(look.shape[::-1], np.float64), 0)
    return np.asarray(np.clip(np.array(firsts or [within / 2]), 0, within))


def _and(*notes: str) -> str:
    return "; ".join(note for note in notes if note)


def _piece(look: Look, trace: Trace, plan: Plan, *, kind: str, system: str, note: str) -> Piece:
    length = plan.seconds[look.stimulus]
    return Piece(
        id=f"{look.id}-{system}" + (f"-{kind}" if kind in SAID else ""),
        kind=kind,
        media=_cut(look.media, length),
        group=look.id,
        system=system,
        track=track(trace, look.shape, hertz=plan.hertz, seconds=length),
        stimulus=look.stimulus,
        note=note,
    )


def _cut(media: Still | Film, seconds: float) -> Still | Film:
    """A film that ends with the track."""
    if isinstance(media, Still) or media.seconds <= seconds:
        return media
    return replace(media, frames=partial(_until, media, seconds), seconds=seconds)


def _until(media: Film, seconds: float) -> Iterator[tuple[float, Pixels]]:
    return takewhile(lambda timed: timed[0] < seconds, media.frames())


def _arranged(
    pieces: list[Piece], count: int, trial: Trial, *, left: Mapping[str, Sequence[str]], seed: int
) -> tuple[list[Piece], Trials]:
    """Which groups are for practice, and how many of each class a participant is shown."""
    kinds = {kind: {piece.group for piece in pieces if piece.kind == kind} for kind in (HUMAN, SYNTHETIC, *SAID)}
    both = sorted(kinds[HUMAN] & kinds[SYNTHETIC])
    if len(both) < 2:
        raise Misuse(
            f"got {len(both)} pictures or films with a person's and a model's track; expected 2 or more; add "
            "stimuli, choose another model, or ask for fewer "
            f"seconds{''.join(f'; {line}' for line in _asking.left_out(left))}"
        )
    aside = PRACTICE if len(both) >= 3 * PRACTICE else 0
    practised = [both[at] for at in rng_for(seed, "practice").permutation(len(both))[:aside]]
    kept = [
        replace(piece, use="practice") if piece.group in practised else piece
        for piece in pieces
        if piece.group not in practised
        or piece.kind == (HUMAN, SYNTHETIC)[practised.index(piece.group) % 2]
        or (trial == "two_alternative" and piece.kind not in SAID)
    ]
    most = min(count, len(both) - aside)
    per_class = {} if trial == "two_alternative" else _per_class(kinds, most)
    many = sum(per_class.values()) or most
    kept = [piece for piece in kept if piece.kind in per_class or piece.kind not in SAID]
    checks = CHECKS if many >= 10 else 1
    return kept, Trials(count=many, per_class=per_class, practice=aside, checks=checks, repeats=1 if many > 5 else 0)


def _per_class(kinds: Mapping[str, set[str]], count: int) -> dict[str, int]:
    """As many of people as of models; controls are few, for they are there to explain, not to be scored."""
    rare = {kind: max(1, count // RARE) for kind in SAID if kinds[kind] and count >= FEW}
    half = (count - sum(rare.values())) // 2
    return {HUMAN: half, SYNTHETIC: half, **rare}
