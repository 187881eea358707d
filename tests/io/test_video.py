import numpy as np
import pytest
from PIL import Image

from beholder.io import video

RAMP = np.repeat(np.linspace(0, 240, 6).astype(np.uint8), 48 * 64).reshape(6, 48, 64)


def frames_of(path):
    import cv2

    film, found = cv2.VideoCapture(str(path)), []
    while (step := film.read())[0]:
        found.append(step[1])
    rate = film.get(cv2.CAP_PROP_FPS)
    film.release()
    return np.array(found), rate


def test_srgb_is_the_standards_curve():
    light = np.linspace(0, 1, 1001)
    levels = video.srgb(light) / 255
    back = np.where(levels <= 0.04045, levels / 12.92, ((levels + 0.055) / 1.055) ** 2.4)
    assert np.abs(back - light).max() < 0.5 / 255 * 2.3  # half a level, times the steepest slope of the inverse
    assert video.srgb(np.array([-1.0, 2.0])).tolist() == [0, 255]


@pytest.mark.parametrize(("hertz", "milliseconds"), [(25.0, 40), (10.0, 100), (100.0, 20)])
def test_a_gif_comes_back_with_its_frames_and_delays(tmp_path, hertz, milliseconds):
    video.write(RAMP, tmp_path / "a.gif", hertz=hertz)
    with Image.open(tmp_path / "a.gif") as film:
        assert (film.n_frames, film.size, film.info["duration"]) == (6, (64, 48), milliseconds)
        for at in range(6):
            film.seek(at)
            assert np.asarray(film.convert("L")) == pytest.approx(RAMP[at], abs=1)


def test_an_mp4_comes_back_nearly_as_it_was(tmp_path):
    video.write(RAMP, tmp_path / "a.mp4", hertz=25.0)
    found, rate = frames_of(tmp_path / "a.mp4")
    assert rate == pytest.approx(25)
    assert found.shape == (6, 48, 64, 3)
    assert found.mean(axis=(1, 2, 3)) == pytest.approx(RAMP.mean(axis=(1, 2)), abs=5)


def test_colours_keep_their_order_and_odd_sides_are_filled_up(tmp_path):
    red = np.zeros((4, 33, 47, 3), np.uint8)
    red[..., 0] = 200
    video.write(red, tmp_path / "a.mp4", hertz=25.0)
    found, _ = frames_of(tmp_path / "a.mp4")
    assert found.shape == (4, 34, 48, 3)
    assert found.mean(axis=(0, 1, 2)) == pytest.approx([0, 0, 200], abs=12)  # OpenCV reads blue, green, red


def test_nothing_is_left_but_the_film(tmp_path):
    for suffix in ("gif", "mp4"):
        video.write(RAMP, tmp_path / f"a.{suffix}", hertz=25.0)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.gif", "a.mp4"]


@pytest.mark.parametrize(
    ("frames", "name", "hertz", "says"),
    [
        (RAMP, "a.avi", 25.0, "got the suffix '.avi'; expected .gif or .mp4"),
        (RAMP, "a.gif", 0.0, "got 0.0 frames per second"),
        (RAMP.astype(float), "a.gif", 25.0, "got float64 of shape"),
        (RAMP[:0], "a.mp4", 25.0, "expected uint8 of"),
        (RAMP[0], "a.mp4", 25.0, "expected uint8 of"),
    ],
)
def test_what_cannot_be_a_film_is_refused(tmp_path, frames, name, hertz, says):
    with pytest.raises(ValueError, match=says):
        video.write(frames, tmp_path / name, hertz=hertz)
    assert list(tmp_path.iterdir()) == []


# small films


def timed(frames, rate=8.0):
    return [(at / rate, frame) for at, frame in enumerate(frames)]


def test_frames_of_a_small_film_keep_their_own_times(tmp_path):
    import av

    times = (0.0, 0.1, 0.5, 0.55, 1.2, 1.3)
    video.write_small(zip(times, RAMP, strict=True), tmp_path / "a.mp4", seconds=1.6)
    with av.open(tmp_path / "a.mp4") as film:
        stream = film.streams.video[0]
        assert [float(frame.time) for frame in film.decode(stream)] == pytest.approx(times, abs=1e-3)
        assert float(stream.duration * stream.time_base) == pytest.approx(1.6, abs=1e-3)


def test_a_small_film_stays_small_whatever_it_shows(tmp_path):
    noise = np.random.default_rng(0).integers(0, 256, (48, 180, 320, 3), dtype=np.uint8)
    video.write_small(timed(noise, 16), tmp_path / "a.mp4", seconds=3.0, most=150_000)
    assert (tmp_path / "a.mp4").stat().st_size < 165_000  # 1 MB without the bound
    video.write_small(timed(RAMP), tmp_path / "b.mp4", seconds=0.75)
    assert (tmp_path / "b.mp4").stat().st_size < 3_000


def test_equal_frames_give_equal_bytes(tmp_path):
    for name in ("a", "b"):
        video.write_small(timed(RAMP), tmp_path / f"{name}.mp4", seconds=0.75)
    assert (tmp_path / "a.mp4").read_bytes() == (tmp_path / "b.mp4").read_bytes()


def test_nothing_is_no_film(tmp_path):
    with pytest.raises(ValueError, match="got no frame"):
        video.write_small([], tmp_path / "a.mp4", seconds=1.0)
    assert list(tmp_path.iterdir()) == []
