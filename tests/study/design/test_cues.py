from functools import partial

import numpy as np
import pytest

from beholder.study.design.cues import cues, grouped_auc, of_track
from beholder.study.design.demo import demo
from beholder.study.design.exhibition import Exhibition, Piece, Still, choices
from beholder.study.design.file import Question, Trials, read
from beholder.study.design.writing import write

SECONDS = np.arange(101) / 50
RIGHT = {"human": "human", "synthetic": "synthetic"}


def _resting(rng):
    """A dot that stays at three places, one after the other."""
    places = np.repeat(rng.uniform(0.2, 0.8, (3, 2)), 34, axis=0)[:101]
    return np.column_stack([SECONDS, places])


def _gliding(rng):
    """A dot that never stops."""
    angle = 2 * np.pi * (SECONDS / 2 + rng.random())
    return np.column_stack([SECONDS, 0.5 + 0.4 * np.cos(angle), 0.5 + 0.4 * np.sin(angle)])


def _study(folder, *, show="track", controls=False, bright=0):
    """Pictures of which both classes are shown, each with a track or by itself."""
    question = Question(text="Who?", answers=choices(("human", "A person"), ("synthetic", "A computer")))
    makers = {"human": _resting, "synthetic": _gliding, **({"control": _gliding} if controls else {})}
    pieces = []
    for at in range(8):
        for kind, make in makers.items():
            rng = np.random.default_rng([at, len(kind)])
            name = f"p{at}" if show == "track" else f"p{at}-{kind}"
            pixels = rng.integers(0, 100, (30, 40), np.uint8) + np.uint8(bright if kind == "human" else 0)
            own = {"track": make(rng)} if show == "track" else {}
            media = Still(name, partial(np.copy, pixels))
            pieces.append(Piece(f"p{at}-{kind}", kind, media, group=f"p{at}", show=show, **own))
    trials = Trials(count=6, practice=0, checks=0, repeats=0)
    return write(
        Exhibition("T", (question,), "Look.", pieces, right=RIGHT, trials=trials), folder, study={"name": "cues"}
    )


def test_a_dot_that_never_rests_is_told_from_one_that_does(tmp_path):
    file = _study(tmp_path / "s")
    found = {cue.name: cue for cue in cues(read(file), file.parent)}
    rest = found["share of time at rest"]
    assert (rest.auc, rest.hi, rest.n) == (1, 1, 16)
    assert rest.lo == pytest.approx(0.676, abs=0.001)  # Wilson's of 8 of 8: eight pictures are no proof
    assert rest.strong
    assert "higher for human than for synthetic" in rest.says
    assert "higher for synthetic than for human" in found["median speed"].says  # told in the direction that tells more


def test_controls_are_not_counted(tmp_path):
    plain, more = _study(tmp_path / "plain"), _study(tmp_path / "more", controls=True)
    assert read(more).classes == ("human", "synthetic", "control")
    assert read(more).noises == ("synthetic",)
    assert [cue.n for cue in cues(read(more), more.parent)] == [cue.n for cue in cues(read(plain), plain.parent)]


def test_brightness_of_pictures_is_a_cue(tmp_path):
    file = _study(tmp_path / "s", show="picture", bright=100)
    first, *others = cues(read(file), file.parent)
    assert (first.name, first.auc) == ("mean luminance", 1)
    assert {"file size", "pixels"} == {cue.name for cue in others}


def test_a_file_that_is_not_there_is_passed_over(tmp_path):
    file = _study(tmp_path / "s")
    study = read(file)
    (file.parent / study.items[0].track).unlink()
    assert {cue.n for cue in cues(study, file.parent)} == {15}


def test_no_cue_is_strong_in_the_demo(tmp_path):
    file = demo(tmp_path / "demo")
    found = cues(read(file), file.parent)
    assert len(found) == 7
    assert [cue.name for cue in found if cue.strong] == []


def test_the_area_is_that_of_the_ranks():
    rng = np.random.default_rng(0)
    value, signal, group = rng.normal(size=40), np.arange(40) % 2 == 0, np.arange(40) // 2
    from beholder.stats.roc import auc

    area, lo, hi = grouped_auc(value, signal, group)
    assert area == pytest.approx(auc(value[signal], value[~signal]))
    assert lo < area < hi


def test_tracks_on_one_picture_are_drawn_together():
    """A difference inside each picture is sure although pictures differ far more: but only where they are drawn so."""
    rng = np.random.default_rng(0)
    picture = np.repeat(rng.normal(0, 5, 30), 2)
    signal = np.tile([True, False], 30)
    value = picture + 0.5 * signal
    together = grouped_auc(value, signal, np.repeat(np.arange(30), 2))
    apart = grouped_auc(value, signal, np.arange(60))
    assert together[2] - together[1] < 0.5 * (apart[2] - apart[1])


def test_speed_is_in_widths_of_the_picture():
    """On a picture twice as high as wide, a step down its whole height is two widths."""
    track = np.array([[0.0, 0.5, 0.0], [1.0, 0.5, 1.0], [2.0, 0.5, 1.0]])
    facts = dict(of_track(track, 2.0))
    assert facts["peak speed"] == 2
    assert facts["path length"] == 2
    assert facts["distance of the start from the centre"] == 1
