"""Local cuts, on small textured scenes whose faults are known, and on clean footage."""

from itertools import pairwise

import cv2
import numpy as np
import pytest

from beholder.video.readouts.flow import pair
from beholder.video.readouts.footage import footage
from beholder.video.readouts.local_cuts import coherence
from beholder.video.types import Clip

HEIGHT, WIDTH, COUNT = 96, 160, 16


def texture(seed, shape):
    rng = np.random.default_rng(seed)
    rough = cv2.GaussianBlur(rng.normal(0, 1, (*shape, 3)).astype(np.float32), (0, 0), 2)
    return 128 + 40 * rough / rough.std()


def scene(place, *, pan=1, frames=COUNT, level=lambda t: 1.0, radius=15):
    """A textured disc over a panning background; `place(t)` is its centre and opacity, or None."""
    wide, disc = 40 + 0.5 * texture(1, (HEIGHT, WIDTH + 4 * frames)), 60 + 0.8 * texture(2, (HEIGHT, WIDTH))
    rng = np.random.default_rng(3)
    ys, xs = np.mgrid[:HEIGHT, :WIDTH]
    made = []
    for t in range(frames):
        frame = wide[:, pan * t : pan * t + WIDTH].copy()
        found = place(t)
        if found:
            x, y, opacity = found
            mask = opacity * np.clip(radius - np.hypot(xs - x, ys - y), 0, 1)[..., None]
            own = np.roll(disc, (round(y), round(x)), (0, 1))
            frame = (1 - mask) * frame + mask * own
        noise = rng.normal(0, 1.2, frame.shape)
        made.append(np.clip(frame * level(t) + noise, 0, 255).astype(np.uint8))
    return Clip(pixels=np.stack(made), rate=12.0)


def found(clip):
    film = footage(clip)
    grey = [cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY) for frame in film.pixels]
    return coherence(film, [pair(a, b) for a, b in pairwise(grey)])


def faults(clip):
    return [event for event in found(clip).events if not event.why]


def stays(t):
    return (50 + t, 48, 1)


def vanishes(t):
    return (50 + t, 48, 1) if t < 8 else None


def test_a_disc_that_stays_is_no_fault():
    seen = found(scene(stays))
    assert not seen.events
    assert seen.assessed == 1
    assert seen.frames == COUNT
    assert seen.seconds == pytest.approx(COUNT / 12)


def emerges(t):
    return None if t < 8 else (50 + t, 48, 1)


@pytest.mark.parametrize(("place", "kind"), [(vanishes, "vanish"), (emerges, "emerge")])
def test_what_vanishes_or_emerges_is_found_in_time_and_place(place, kind):
    (event,) = faults(scene(place))
    assert event.kind == kind
    assert event.start == pytest.approx(7 / 12)
    assert event.end == pytest.approx(8 / 12)
    left, top, right, bottom = event.box
    assert left < 57 / WIDTH < right
    assert top < 48 / HEIGHT < bottom
    assert right - left < 0.4
    assert event.strength > 0.5


def test_a_jump_has_two_ends():
    ends = faults(scene(lambda t: (40 + t, 30, 1) if t < 8 else (110 + t, 66, 1)))
    assert [event.kind for event in ends] == ["jump", "jump"]
    assert [event.start for event in ends] == pytest.approx([7 / 12] * 2)


def exits(t):
    """Eases into motion and leaves through the right border."""
    return (100 + 0.5 * t * t, 48, 1)


def test_what_leaves_through_the_border_is_no_fault():
    assert not faults(scene(exits))


def test_what_is_covered_is_no_fault():
    """A second, larger disc sweeps over the first."""
    covered = scene(stays).pixels.copy()
    over = texture(5, (HEIGHT, WIDTH))
    ys, xs = np.mgrid[:HEIGHT, :WIDTH]
    for t in range(COUNT):
        mask = np.hypot(xs - (5 + 6 * t), ys - 48) < 24
        covered[t][mask] = np.roll(over, 6 * t, 1)[mask]
    assert not faults(Clip(pixels=covered, rate=12.0))


def test_repeated_frames_are_left_out():
    """Every other frame shown twice: identical neighbours would make any change look abrupt."""
    clean = scene(stays).pixels
    shown = clean[np.sort(np.r_[:COUNT, :COUNT:2])]
    assert not found(Clip(pixels=shown, rate=12.0)).events
    gone = scene(vanishes).pixels[np.sort(np.r_[:COUNT, :COUNT:2])]
    assert len(faults(Clip(pixels=gone, rate=12.0))) == 1


def test_light_that_flickers_is_no_fault_and_hides_none():
    def level(t):
        return 1 + 0.12 * (-1) ** t

    assert not found(scene(stays, level=level)).events
    assert len(faults(scene(vanishes, level=level))) == 1


def test_a_shot_cut_is_told_and_not_assessed():
    first, second = scene(stays).pixels, scene(stays).pixels[:, :, ::-1]
    seen = found(Clip(pixels=np.concatenate([first[:8], second[8:]]), rate=12.0))
    assert seen.shot_cuts == pytest.approx([8 / 12])
    assert not seen.events
    assert seen.assessed == pytest.approx(12 / 15, abs=0.02)  # the cut, and most of its neighbours


def test_a_still_clip_has_no_faults():
    seen = found(Clip(pixels=np.repeat(scene(stays).pixels[:1], 8, 0), rate=8.0))
    assert (seen.events, seen.assessed, seen.seconds) == ((), 1.0, 1.0)


def test_a_still_clip_out_of_which_something_vanishes_has_one():
    """No noise and no motion: all frames but two repeat another."""
    pixels = np.repeat(scene(stays).pixels[:1], 24, 0)
    pixels[12:] = scene(lambda t: None).pixels[0]
    (event,) = faults(Clip(pixels=pixels, rate=12.0))
    assert event.end == pytest.approx(1)


@pytest.mark.parametrize("frames", [2, 3, 4])
def test_few_frames_are_no_error(frames):
    assert not found(scene(stays, frames=frames)).events


def test_time_backwards_finds_the_same():
    clip = scene(vanishes)
    (event,) = faults(clip)
    (back,) = faults(Clip(pixels=clip.pixels[::-1].copy(), rate=12.0))
    assert (event.kind, back.kind) == ("vanish", "emerge")
    assert back.start == pytest.approx((COUNT - 1) / 12 - event.end)
    assert back.strength == pytest.approx(event.strength, abs=0.2)


@pytest.mark.parametrize("gone", [1, COUNT - 1])
def test_the_first_and_the_last_pair_of_frames_are_looked_at(gone):
    (event,) = faults(scene(lambda t: (70, 48, 1) if t < gone else None, pan=0, radius=20))
    assert event.end == pytest.approx(gone / 12)


def test_what_one_half_sees_through_is_found():
    (event,) = faults(scene(lambda t: (50 + t, 48, 0.5) if t < 8 else None))
    assert event.end == pytest.approx(8 / 12)


def test_a_fade_is_found_once_and_where_it_is():
    """The disc dissolves within a third of a second: no two neighbouring frames show a cut."""
    clip = scene(lambda t: (70 + 0.3 * t, 48, float(np.clip(1 - (t - 9) / 4, 0, 1))), frames=24, radius=18)
    (event,) = faults(clip)
    assert event.kind == "fade"
    assert event.start < 11 / 12 < event.end
    left, top, right, bottom = event.box
    assert left < 73 / WIDTH < right
    assert top < 48 / HEIGHT < bottom


def test_what_shrinks_is_no_fault():
    discs = [scene(lambda t: (70, 48, 1), frames=24, radius=max(18 - t, 0.1)).pixels[t] for t in range(24)]
    assert not faults(Clip(pixels=np.stack(discs), rate=12.0))


@pytest.mark.data
def test_clean_footage_is_quiet(data):
    """One of twelve clean clips: walking people and a dog. All twelve are quiet (`video/corruptions` shows it)."""
    assert not faults(Clip(path=data / "clean_clips" / "sam_01_dog.mp4"))
