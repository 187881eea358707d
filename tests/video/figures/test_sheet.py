"""The sheet of a sample and its films, from clips whose evidence is made by hand."""

import gc
import io

import numpy as np
import pytest

from beholder.core.measure import NotApplicable
from beholder.core.sample import Sample
from beholder.video.evidence import Event
from beholder.video.figures import sheet, strips
from beholder.video.figures.events import events_of
from beholder.video.types import Clip, Prompt

SAMPLE = Sample("0042", Prompt(text="a square that moves to the right"), None, {})


@pytest.fixture
def analysed(monkeypatch, evidence):
    """Every clip of more than one frame has the evidence of the fixture; how often it was asked for."""
    asked = []

    def analyse(clip, prompt):
        asked.append(clip)
        if len(clip.pixels) < 2:
            raise NotApplicable("the clip has 1 frame: nothing can move")
        return evidence(frames=len(clip.pixels))

    monkeypatch.setattr(sheet, "analyse", analyse)
    return asked


def texts(figure):
    return [text.get_text() for text in figure.findobj(match=lambda one: hasattr(one, "get_text")) if text.get_text()]


def drawn(figure):
    """The figure is one that can be saved; warnings are errors."""
    figure.savefig(io.BytesIO(), format="png", dpi=50)
    return figure


def test_each_model_has_a_strip_a_timeline_and_a_path(analysed, clip):
    figure = drawn(sheet.clip_sheet(SAMPLE, {"mine": clip, "theirs": Clip(clip.pixels[:12], rate=12.0)}))
    assert len(figure.axes) == 6
    said = texts(figure)
    assert {"mine", "theirs", "0042: a square that moves to the right", "1.08 s TCS", "TCS", "quality"} <= set(said)
    timelines = [axes for axes in figure.axes if "0 s" in texts(axes)]
    assert {axes.get_xlim() for axes in timelines} == {(0.0, 2.0)}  # they share their time


def test_a_clip_in_which_nothing_can_move_has_a_sentence(analysed, clip):
    still = Clip(clip.pixels[:1], rate=12.0)
    figure = drawn(sheet.clip_sheet(SAMPLE, {"mine": clip, "still": still}))
    assert "still: not applicable, the clip has 1 frame: nothing can move" in texts(figure)
    alone = drawn(sheet.clip_sheet(SAMPLE, {"still": still}))
    assert alone.axes == []
    assert list(sheet.films(SAMPLE, {"mine": clip, "still": still})) == ["mine"]
    assert sheet.films(SAMPLE, {"still": still}) == {}


def test_sheet_and_films_look_at_a_clip_once_and_keep_none(monkeypatch, evidence, clip):
    asked = []
    monkeypatch.setattr(sheet, "analyse", lambda clip, prompt: asked.append(1) or evidence())
    own = Clip(clip.pixels, rate=12.0)
    sheet.films(SAMPLE, {"mine": own})
    sheet.clip_sheet(SAMPLE, {"mine": own})
    assert asked == [1]
    here = len(sheet._FOUND)
    del own
    gc.collect()
    assert len(sheet._FOUND) < here


def test_a_film_has_the_frames_the_moments_and_the_ranges_of_the_sheet(analysed, clip):
    tall = Clip(np.zeros((24, 640, 360, 3), np.uint8), rate=12.0)
    found = sheet.films(SAMPLE, {"mine": clip, "tall": tall})
    mine = found["mine"]
    times, pixels = zip(*mine.frames, strict=True)
    assert times == pytest.approx(np.arange(24) / 12)
    assert np.array_equal(pixels[5], clip.pixels[5])
    assert next(iter(found["tall"].frames))[1].shape == (320, 180, 3)
    assert [(one.row, one.text) for one in mine.moments] == [("OIS", "wobble"), ("TCS", "vanish or emerge")]
    assert mine.moments[1].box == (0.25, 0.25, 0.5, 0.75)
    assert (mine.curves["motion"].low, mine.curves["motion"].high) == (0.0, 0.2)
    assert "TCS 0." in mine.note
    assert sheet.films(SAMPLE, {"mine": clip}, scores=False)["mine"].note == ""


def test_flagged_frames_stand_on_the_strip_with_their_boxes(clip, evidence):
    found = evidence()
    row = strips.shots(clip, found.facts, events_of(found))
    assert len(row) == strips.CELLS
    at = {round(shot.seconds, 2): [name for name, _ in shot.events] for shot in row}
    assert at[1.08] == ["TCS"]  # the frame after the one in which it was last seen
    assert at[0.0] == []
    assert [round(12 * row[0].seconds), round(12 * row[-1].seconds)] == [0, 23]


@pytest.mark.parametrize("frames", [2, 5, 7, 100])
def test_no_frame_stands_twice(frames):
    events = [("TCS", Event("a", 0.0, 0.1)), ("OIS", Event("b", 0.05, 0.1)), ("TCS", Event("c", 9.0, 9.1))]
    row = strips.choose(np.arange(frames) / 10, events)
    assert len(row) == len(set(row)) == min(frames, strips.CELLS)


def test_noise_is_not_blown_up(evidence):
    quiet = evidence()
    quiet.camera.pan[:] *= 1e-3
    scale = strips.scale_of([quiet])
    assert scale.ranges["wobble"] == (0.0, 2.0)  # per cent: what is flagged begins here
    assert scale.reach == strips.LEAST
