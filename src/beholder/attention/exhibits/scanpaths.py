"""Gaze of people and of models on the same pictures or films: can people tell them apart?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from beholder.attention.exhibits._looks import Look, from_dataset, from_table
from beholder.attention.exhibits._walks import Walker, drift_of, sight, walkers
from beholder.attention.maps.features import ASSUMED
from beholder.attention.types import Floats
from beholder.core.cite import source
from beholder.core.randomness import rng_for
from beholder.core.sample import remark
from beholder.engines.progress import Silent, Watch
from beholder.errors import Misuse
from beholder.study.design.checks import instructed
from beholder.study.design.exhibition import Exhibition, Film, Piece, Pixels, Still, choices, scale
from beholder.study.design.file import FIRST, SECOND, Question, Trial, Trials
from beholder.study.design.tracks import SLOWEST, Trace, bridged, from_fixations, gap_fault, track
from beholder.study.design.wording import FORM, GROUPS, KNOWLEDGE

HUMAN, SYNTHETIC = "human", "synthetic"
FROM_FIXATIONS, REVERSED = "human_fixations", "human_reversed"  # the controls
SAID = {FROM_FIXATIONS: "human fixations, synthetic saccades", REVERSED: "time-reversed human"}
SECONDS, FILM_SECONDS = 5.0, 17.0  # at most, if nobody says otherwise: Zanca et al. (2020)
HERTZ = 50.0
STEP = 0.25  # s: durations are cut to a multiple of this
SHORT = 0.1  # share of pictures on which half of the people, or more, looked for less long than is shown
PRACTICE, CHECKS = 2, 2
RARE, FEW = 10, 8  # one control of each kind in so many trials; none where there are fewer trials than this

INSTRUCTIONS = """\
You will see {what} with a red dot that moves over them. The dot shows where somebody looked: sometimes a person{whose},
sometimes a computer program.

Watch each clip to its end. Then say {question}. There are a few clips to practise with at first.

Some clips show an instruction. Please follow it.
"""
MADE_UP = "The tracks of people in this study are simulated."
DEBRIEF = """\
Thank you. About half of the clips showed where people had looked while their eyes were recorded; the others were made
by computer programs, or were changed for comparison. We want to learn whether people can tell them apart.
"""


@dataclass(frozen=True)
class _Plan:
    """How everything is shown."""

    hertz: float
    seconds: Mapping[str, float]  # by kind of stimulus
    seed: int


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
    trial: Trial = "yes_no",
    seed: int = 0,
    watch: Watch | None = None,
) -> Exhibition:
    """A red dot that moves as people or models looked: who made it?

    `dataset` are names with their paths, as --dataset takes them; `gaze` is a table of samples (stimulus, observer,
    time_ms, x, y) instead, with `px_per_deg`. Only what lies in the folders `pictures` and `videos` is shown, if they
    are given. `model` are models of scanpaths as --model takes them. Of each picture or film, at most `limit` of a
    kind, the tracks of `people` persons and one of every model are shown, and as controls a person's fixations with
    synthetic saccades and a person's track backwards. A participant is shown `count`.

    All tracks of a kind of stimulus are equally long: `seconds`, or what half of the people last on nine of ten
    pictures, at most 5 s (films: `film_seconds`, 17 s). They have the same rate, `hertz` (50, or that of the slowest
    recording), and pass the same smoothing. Models begin where a person began on the same picture. Blinks up to 0.4 s
    are bridged; trials with longer gaps are left out. Where only fixations are known, they are joined by synthetic
    saccades that last as long as the main sequence says, with a drift of 0.08 deg, and are labelled 'human fixations,
    synthetic saccades'.
    """
    watch = watch or Silent()
    specs = [dataset] if isinstance(dataset, str) else list(dataset)
    named = [model] if isinstance(model, str) else list(model)
    _refuse_numbers(people=people, limit=limit, count=count)
    folders = _Folders(*(place and Path(place).expanduser() for place in (pictures, videos)))
    looks = _chosen(_looks(specs, gaze, folders, px_per_deg), limit, seed)
    plan = _Plan(_rate(looks, hertz), _lengths(looks, {"picture": seconds, "film": film_seconds}), seed)
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
    pieces, trials = _arranged(pieces, count, trial, seed)
    return Exhibition(
        title="Who looked there: a person or a computer?",
        questions=(_question(trial),),
        instructions=_instructions(looks, trial),
        pieces=[*pieces, *_checks(pieces, looks, trial)],
        trial=trial,
        right=_right(trial),
        trials=trials,
        debrief=DEBRIEF,
        study={"form": [*FORM, KNOWLEDGE], "groups": GROUPS, "seed": seed},
        about=_about(looks, named, plan, people),
        remarks=_remarks(looks, left, trials, count),
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
            "got nothing that was looked at and can be shown; expected pictures or films of "
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
        raise Misuse(f"got gaze recorded at {slowest:g} Hz; expected {SLOWEST:g} or more, or it would be seen to jump")
    return max(rate, SLOWEST) if not hertz else rate


def _lengths(looks: Sequence[Look], asked: Mapping[str, float]) -> dict[str, float]:
    """How long pictures and films are shown."""
    found = {}
    for stimulus, most in (("picture", SECONDS), ("film", FILM_SECONDS)):
        own = [look for look in looks if look.stimulus == stimulus]
        middles = [min(float(np.median(ends)), look.seconds) for look in own if (ends := _ends(look))]
        if own and not middles:
            raise Misuse(f"got nobody who looked at a {stimulus} for a known time; expected recordings with durations")
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


def _people(look: Look, plan: _Plan, *, people: int, controls: bool, left: dict[str, list[str]]) -> list[Piece]:
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
        return trace, "" if trace.end >= length else f"shorter than {length:g} s"
    trace = look.traces[who]
    if trace.end < length - 1 / look.hertz:
        return trace, f"shorter than {length:g} s"
    why = gap_fault(trace.until(length))
    return (trace, why.partition(" for ")[0]) if why else (bridged(trace), "")


def _models(
    look: Look, makers: Sequence[Walker], plan: _Plan, *, lasts: Floats, left: dict[str, list[str]]
) -> list[Piece]:
    """A track of every model; one that a model cannot make is left out, with its reason."""
    length = plan.seconds[look.stimulus]
    starts, shown = _starts(look), sight(look, seconds=length, seed=plan.seed)
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
            left.setdefault(f"looked at by {one.name} for less than {length:g} s", []).append(look.id)
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


def _piece(look: Look, trace: Trace, plan: _Plan, *, kind: str, system: str, note: str) -> Piece:
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


def _arranged(pieces: list[Piece], count: int, trial: Trial, seed: int) -> tuple[list[Piece], Trials]:
    """Which groups are for practice, and how many of each class a participant is shown."""
    kinds = {kind: {piece.group for piece in pieces if piece.kind == kind} for kind in (HUMAN, SYNTHETIC, *SAID)}
    both = sorted(kinds[HUMAN] & kinds[SYNTHETIC])
    if len(both) < 2:
        raise Misuse(
            f"got {len(both)} pictures or films with a person's and a model's track; expected 2 or more; what was left "
            "out, and why, is said above; give more of them, or fewer seconds"
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


def _question(trial: Trial) -> Question:
    if trial == "two_alternative":
        answers = choices((FIRST, "The first"), (SECOND, "The second"))
        return Question(text="Which of the two was made by a person?", answers=answers)
    if trial == "rating":
        return Question(text="Who made the dot move?", answers=scale("surely a computer", "surely a person", points=6))
    return Question(text="Who made the dot move?", answers=choices((HUMAN, "A person"), (SYNTHETIC, "A computer")))


def _right(trial: Trial) -> dict[str, str]:
    """Controls have no right answer; of two, that of the person is."""
    if trial == "rating":
        return {}
    return {HUMAN: HUMAN} if trial == "two_alternative" else {HUMAN: HUMAN, SYNTHETIC: SYNTHETIC}


def _instructions(looks: Sequence[Look], trial: Trial) -> str:
    shown = {look.stimulus for look in looks}
    what = "pictures and films" if len(shown) == 2 else f"{shown.pop()}s"
    question = "which of two was made by a person" if trial == "two_alternative" else "who made the dot move"
    whose = "" if _simulated(looks) else " whose\neye movements were recorded"
    return INSTRUCTIONS.format(what=what, whose=whose, question=question) + (f"\n{MADE_UP}\n" if not whose else "")


def _simulated(looks: Sequence[Look]) -> bool:
    """Whether those who looked are no people."""
    return any(look.dataset is not None and look.dataset.status == "placeholder" for look in looks)


def _checks(pieces: Sequence[Piece], looks: Sequence[Look], trial: Trial) -> list[Piece]:
    """Clips that say which answer to give, of pictures that are also judged: what moves there does not matter."""
    asked = {
        "yes_no": ((HUMAN, "a person"), (SYNTHETIC, "a computer")),
        "two_alternative": ((FIRST, "the first"), (SECOND, "the second")),
        "rating": (("1", "1"), ("6", "6")),
    }[trial]
    shown = [piece for piece in pieces if piece.kind in (HUMAN, SYNTHETIC)]
    of = {look.id: look for look in looks}
    made = []
    for at, (answer, label) in enumerate(asked):
        one = shown[at * (len(shown) - 1)]
        name = f"check-{answer}"
        still = Still(name, instructed(partial(_still, of[one.group]), f"Please answer: {label}"))
        made.append(
            replace(one, id=name, kind="check", media=still, group=name, system="", use="check", expected=answer)
        )
    return [replace(piece, note="") for piece in made]


def _still(look: Look) -> Pixels:
    return look.media.pixels() if isinstance(look.media, Still) else np.asarray(next(iter(look.media.frames()))[1])


def _about(looks: Sequence[Look], models: Sequence[str], plan: _Plan, people: int) -> dict[str, Any]:
    datasets = {look.dataset.name: look.dataset for look in looks if look.dataset}
    return {
        "exhibit": "attention.scanpaths",
        "models": list(models),
        "datasets": [
            {"name": one.name, "about": one.about, "cite": one.cite, "licence": one.licence}
            for one in datasets.values()
        ],
        "shown": {stimulus: sum(look.stimulus == stimulus for look in looks) for stimulus in plan.seconds},
        "seconds": dict(plan.seconds),
        "hertz": plan.hertz,
        "people of each": people,
        "seed": plan.seed,
        "marker": "the same red filled circle for all",
        "smoothing": "the same for all: Gaussian, 12 ms",
        "people's gaze": "as recorded" if all(look.recorded for look in looks) else SAID[FROM_FIXATIONS],
        "start of models": "drawn from where people began on the same picture or film",
        "saccades that are made": "21 ms + 2.2 ms/deg, least jerk; drift of 0.08 deg, 0.15 s",
    }


def _remarks(looks: Sequence[Look], left: Mapping[str, Sequence[str]], trials: Trials, count: int) -> tuple[str, ...]:
    said = [line for why, whose in left.items() for line in remark(list(whose), "trial", f"left out, being {why}")]
    if _simulated(looks):
        said.append("the people of this dataset are simulated, and the study says so: it is good for trying out only")
    if not all(look.recorded for look in looks):
        said.append(
            "only fixations of people are known here: their tracks are labelled 'human fixations, synthetic saccades'"
        )
    if trials.count < count:
        said.append(f"{trials.count} trials a participant, not {count}: there are no more pictures or films")
    return tuple(said)
