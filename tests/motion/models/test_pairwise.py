import inspect
import pickle
from functools import cache, partial

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import ndimage

from beholder.core.cite import facts_of, key_of, library
from beholder.errors import Misuse
from beholder.motion.models.block_matching import block_matching, spiral, vectors
from beholder.motion.models.classic_median import classic_median
from beholder.motion.models.dis import dis
from beholder.motion.models.farneback import farneback
from beholder.motion.models.horn_schunck import horn_schunck
from beholder.motion.models.iterative_lk import iterative_lk
from beholder.motion.models.large_displacement import large_displacement
from beholder.motion.models.lucas_kanade import lucas_kanade
from beholder.motion.models.slow_prior import slow_prior
from beholder.motion.models.tvl1 import tvl1
from beholder.motion.types import Flow, Movie, Velocity, motion
from motion_scenes import bar, diamond, direction, disc_grating, middle_pair, velocity

SCALES = [farneback, dis, tvl1, iterative_lk, classic_median, large_displacement]
DENSE = [horn_schunck, lucas_kanade, block_matching, *SCALES]
EVERY = [*DENSE, slow_prior]


@cache
def pair(hertz=100, tilt=1, contrast=1.0):
    return middle_pair(diamond(hertz=hertz, tilt=tilt, contrast=contrast))


def texture(shift, *, size=64, scale=92.0):
    """Smooth noise that moves by (x right, y down) px, by the Fourier shift theorem: periodic, exact."""
    noise = np.random.default_rng(5).standard_normal((size, size))
    spectrum = ndimage.fourier_gaussian(np.fft.fft2(noise), 2.0)
    moved = [np.fft.ifft2(ndimage.fourier_shift(spectrum, (k * shift[1], k * shift[0]))).real for k in range(3)]
    low, high = np.min(moved), np.max(moved)
    return Movie(((np.asarray(moved) - low) / (high - low) * scale).astype(np.float32), 100, 8)


@pytest.mark.parametrize("model", [horn_schunck, lucas_kanade, *SCALES])
def test_a_shift_of_a_texture_is_found(model):
    flow = model(texture((1.0, -0.5)))
    assert flow.shape == (2, 64, 64, 2)
    assert flow.dtype == np.float32
    assert_allclose(np.median(flow[:, 12:-12, 12:-12], (0, 1, 2)), (1.0, -0.5), atol=0.1)


def test_a_global_shift_is_found_without_a_prior():
    assert_allclose(slow_prior(texture((1.0, -0.5)), prior=0), [[1.0, -0.5]] * 2, atol=0.1)


def test_whole_shifts_are_found_by_blocks():
    flow = block_matching(texture((3, -2)))
    assert_array_equal(flow[0, 16:-16, 16:-16], np.broadcast_to(np.float32([3, -2]), (32, 32, 2)))


@pytest.mark.parametrize("model", EVERY)
def test_inputs_are_left_alone_and_answers_are_repeated(model):
    frames = texture((1, 0)).frames.copy()
    frames.setflags(write=False)
    movie = Movie(frames, 100, 8)
    assert_array_equal(model(movie), model(movie))


@pytest.mark.parametrize("model", EVERY)
def test_the_unit_of_luminance_does_not_matter(model):
    faint, bright = (model(texture((1, 0), scale=2.0**k)) for k in (-3, 6))
    assert_allclose(faint, bright, atol=2e-3)


@pytest.mark.parametrize("model", EVERY)
def test_nothing_to_see_is_at_rest(model):
    for level in (0, 40):
        found = model(Movie(np.full((3, 32, 40), level, np.float32), 100, 8))
        assert found.shape in ((2, 32, 40, 2), (2, 2))
        assert_allclose(found, 0, atol=1e-6)


@pytest.mark.parametrize("model", EVERY)
def test_answers_are_accepted(model):
    movie = texture((1, 0))
    assert isinstance(motion(model(movie), movie), Velocity if model is slow_prior else Flow)
    assert len(model(Movie(movie.frames[:1], 100, 8))) == 0


@pytest.mark.parametrize("model", EVERY)
def test_each_says_whence_it_is_and_that_it_has_no_dynamics(model):
    assert all(key in library() for key in key_of(model).split(","))
    assert facts_of(model)["dynamics"] == "none"
    assert inspect.getdoc(model)
    assert pickle.loads(pickle.dumps(model)) is model


@pytest.mark.parametrize(
    "wrong",
    [
        partial(horn_schunck, alpha=0),
        partial(horn_schunck, iterations=0),
        partial(lucas_kanade, window=0),
        partial(lucas_kanade, regularisation=-1),
        partial(block_matching, block=65),
        partial(block_matching, shift=0),
        partial(slow_prior, prior=-1),
        partial(tvl1, attachment=0),
        partial(iterative_lk, radius=0),
        partial(classic_median, smoothness=0),
    ],
)
def test_settings_out_of_range_are_refused(wrong):
    with pytest.raises(Misuse, match="expected"):
        wrong(texture((1, 0)))


@pytest.mark.parametrize("model", EVERY)
def test_small_and_narrow_frames_are_taken_or_refused(model):
    for shape in ((2, 9, 9), (2, 16, 17), (2, 12, 40)):
        shown = Movie(np.random.default_rng(0).uniform(0, 90, shape).astype(np.float32), 100, 8)
        if model is dis and min(shape[1:]) < 16:
            with pytest.raises(Misuse, match="expected 16 or more per side"):
                model(shown)
        else:
            assert len(model(shown)) == 1


@pytest.mark.parametrize("model", EVERY)
def test_frames_that_are_not_numbers_are_refused(model):
    frames = texture((1, 0)).frames.copy()
    frames[1, 3, 4] = np.nan
    with pytest.raises(ValueError, match="luminances that are not finite"):
        model(Movie(frames, 100, 8))


@pytest.mark.parametrize("model", [horn_schunck, lucas_kanade])
def test_golden_4_at_16_hertz_the_field_is_near_the_vector_average(model):
    right, left = (direction(model(pair(16, tilt)), pair(16, tilt))[0] for tilt in (1, -1))
    assert right == pytest.approx(41.7, abs=1)
    assert left == pytest.approx(-right, abs=0.2)


@pytest.mark.parametrize(
    ("model", "expected", "within"),
    [
        (horn_schunck, 21.6, 0.5),
        (lucas_kanade, 13.9, 0.2),
        (farneback, 0.8, 0.5),
        (iterative_lk, -1.3, 0.5),
        (block_matching, -12.6, 4.0),  # the table does not say how blocks were spread over pixels
        (tvl1, 2.8, 4.0),  # from pair to pair it varies by 2.2
    ],
)
def test_table_of_section_6_at_100_hertz(model, expected, within):
    found, mirrored = (direction(model(pair(100, tilt)), pair(100, tilt))[0] for tilt in (1, -1))
    assert found == pytest.approx(expected, abs=within)
    assert mirrored == pytest.approx(-found, abs=1.0)


@pytest.mark.parametrize(("model", "all_pixels"), [(horn_schunck, 26.2), (lucas_kanade, 22.9)])
def test_the_readout_over_all_pixels_is_further_off(model, all_pixels):
    u, v = model(pair()).sum((0, 1, 2))
    assert np.degrees(np.arctan2(-v, u)) == pytest.approx(all_pixels, abs=0.5)


@pytest.mark.parametrize("model", [horn_schunck, lucas_kanade])
@pytest.mark.parametrize(("hertz", "expected"), [(16, 180), (100, 0)])
def test_golden_3_an_aliased_grating_turns_round(model, hertz, expected):
    movie = disc_grating(hertz=hertz)
    apart = direction(model(movie), movie)[0] - expected
    assert (apart + 180) % 360 - 180 == pytest.approx(0, abs=5)


@pytest.mark.parametrize("model", [horn_schunck, lucas_kanade])
def test_golden_3_the_speed_of_a_grating(model):
    movie = disc_grating(hertz=100)
    assert np.hypot(*velocity(model(movie), movie)[0]) == pytest.approx(0.1 / 0.27 * 8, rel=0.05)


def test_golden_5_the_prior_turns_the_diamond_to_the_vector_average():
    trace = 91.2345  # Σ |∇I|² of this pair, at full contrast
    found = [direction(slow_prior(pair(), prior=share * trace), pair())[0] for share in (0, 0.01, 0.1, 1, 100)]
    assert_allclose(found, [0.2, 6.7, 28.5, 40.9, 42.9], atol=0.1)


def test_golden_5_low_contrast_is_slow_and_turned():
    contrasts = (1, 0.5, 0.25, 0.1, 0.05)
    found = [slow_prior(pair(contrast=c))[0] for c in contrasts]
    turned = [direction([v], pair())[0] for v in found]
    assert_allclose(turned, [6.7, 18.6, 32.7, 40.9, 42.4], atol=0.2)
    assert_allclose([np.hypot(*v) / 0.8 for v in found], [0.88, 0.75, 0.62, 0.34, 0.14], atol=0.01)


@pytest.mark.parametrize(
    ("model", "expected"),
    [(horn_schunck, [12.6, 26.5, 35.5]), (lucas_kanade, [4.0, 21.1, 32.4])],
)
def test_longer_bars_are_more_misleading_as_in_section_6(model, expected):
    movies = [middle_pair(bar(length, speed=16.0, size=168)) for length in (2.5, 5, 10)]
    assert_allclose([direction(model(m), m)[0] for m in movies], expected, atol=1.5)


def test_the_spiral_goes_through_each_offset_once_and_outwards():
    path = spiral(4)
    assert len(set(path)) == len(path) == 9**2 - 1
    rings = [max(abs(x), abs(y)) for x, y in path]
    assert rings == sorted(rings)
    assert path[8:12] == [(-1, -2), (0, -2), (1, -2), (2, -2)]


def by_hand(first, second, *, block, shift, reach):
    """The old rule, block by block and offset by offset."""
    first, second = first.astype(int), second.astype(int)
    height, width = first.shape
    rows, columns = (height - block + shift) // shift, (width - block + shift) // shift
    answer = np.zeros((rows, columns, 2))
    for i, j in np.ndindex(rows, columns):
        y, x = i * shift, j * shift
        patch = first[y : y + block, x : x + block]
        distance, chosen = np.abs(patch - second[y : y + block, x : x + block]).sum(), [(0, 0)]
        if distance <= 2 * block**2:
            continue
        for dx, dy in spiral(reach):
            top, left = y + dy, x + dx
            if not (0 <= top <= height - block and 0 <= left <= width - block):
                continue
            apart = np.abs(patch - second[top : top + block, left : left + block]).sum()
            if apart < 2 * block**2:
                chosen = [(dx, dy)]
                break
            if apart < distance:
                distance, chosen = apart, [(dx, dy)]
            elif apart == distance:
                chosen.append((dx, dy))
        answer[i, j] = (0, 0) if distance > 128 * block**2 else np.mean(chosen, axis=0)
    return answer


@pytest.mark.parametrize("greys", [2, 3, 256])
def test_blocks_follow_the_old_rule(greys):
    rng = np.random.default_rng(greys)
    scene = (rng.integers(0, greys, (32, 36)) * (255 // (greys - 1))).astype(np.uint8)
    noise = rng.integers(0, 3, (32, 33))
    first, second = scene[:, :33], np.clip(scene[:, 2:35].astype(int) - noise, 0, 255).astype(np.uint8)
    first[:12], second[:12] = 255 * (np.arange(33) % 4 < 2), 255 * (np.arange(33) % 4 >= 2)  # ties, and too far apart
    second[20:, :12] = 255 - second[20:, :12]
    settings = {"block": 6, "shift": 4, "reach": 3}
    assert_allclose(vectors(first, second, **settings), by_hand(first, second, **settings))


def test_what_is_too_far_apart_everywhere_is_taken_for_rest():
    first, second = np.zeros((12, 12), np.uint8), np.full((12, 12), 200, np.uint8)
    second[6:, 6:] = 130  # the least, and still more than 128 levels a pixel
    settings = {"block": 4, "shift": 4, "reach": 3}
    assert_array_equal(vectors(first, second, **settings), np.zeros((3, 3, 2)))
    second[6:, 6:] = 120
    assert vectors(first, second, **settings).any()


def test_pixels_without_a_block_have_no_estimate():
    flow = block_matching(Movie(texture((0, 0)).frames[:, :30, :31], 100, 8))
    assert np.isfinite(flow[0, :28, :28]).all()
    assert np.isnan(flow[0, 28:]).all()
    assert np.isnan(flow[0, :, 28:]).all()


def test_the_same_field_as_horn_and_schunck_pixel_by_pixel():
    first, second = texture((1, 0), size=12, scale=1.0).frames[:2].astype(np.float64)
    a, b = np.pad(first, ((0, 1), (0, 1)), mode="edge"), np.pad(second, ((0, 1), (0, 1)), mode="edge")
    u, v = np.zeros((12, 12)), np.zeros((12, 12))
    weights = {(0, 1): 1 / 6, (0, -1): 1 / 6, (1, 0): 1 / 6, (-1, 0): 1 / 6}
    weights |= {(i, j): 1 / 12 for i in (-1, 1) for j in (-1, 1)}
    for _ in range(5):
        old_u, old_v = u.copy(), v.copy()
        for y, x in np.ndindex(12, 12):
            near = {(i, j): (min(max(y + i, 0), 11), min(max(x + j, 0), 11)) for i, j in weights}
            mean_u = sum(weights[k] * old_u[at] for k, at in near.items())
            mean_v = sum(weights[k] * old_v[at] for k, at in near.items())
            box = np.stack([a, b])[:, y : y + 2, x : x + 2]
            ix, iy, it = (np.diff(box, axis=k).mean() for k in (2, 1, 0))
            step = (ix * mean_u + iy * mean_v + it) / (0.1**2 + ix**2 + iy**2)
            u[y, x], v[y, x] = mean_u - ix * step, mean_v - iy * step
    movie = Movie(np.stack([first, second]).astype(np.float32) / np.float32(max(first.max(), second.max())), 100, 8)
    found = horn_schunck(movie, alpha=0.1 / max(first.max(), second.max()), iterations=5, presmoothing=0)[0]
    assert_allclose(found, np.stack([u, v], axis=-1), atol=1e-4)
