"""Clips of every kind of file as frames with times, and what is said of those that cannot be read."""

import math
import zlib

import numpy as np
import pytest

import video_media as media
from beholder.io.image import write as write_image
from beholder.video.files import stream as streams
from beholder.video.files.clips import opened, smaller
from beholder.video.types import Clip

EVEN = [t / media.RATE for t in range(media.COUNT)]


def seen(path, long_side=0, rate=math.nan):
    """All that a stream gives: itself, its times and its frames."""
    with opened(Clip(path=path, rate=rate), long_side) as stream:
        found = list(stream.frames)
    return stream, [seconds for seconds, _ in found], [frame for _, frame in found]


def assert_in_order(pixels):
    """The square moves as it should: no frame is missing, doubled or misplaced."""
    assert [media.left_side(frame) for frame in pixels] == [4 + 3 * t for t in range(len(pixels))]


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("a.mp4", {}),
        ("a.mkv", {}),
        ("a.ts", {}),
        ("a.webm", {"codec": "libvpx-vp9"}),
        ("a.avi", {}),  # which says when frames are decoded, not when they are shown: some come from later ones
        ("ten_bit.mp4", {"pix_fmt": "yuv420p10le"}),
        ("grey.mp4", {"pix_fmt": "gray"}),
        ("full_colour.mp4", {"pix_fmt": "yuv444p"}),
    ],
)
def test_a_film(tmp_path, name, settings):
    stream, times, pixels = seen(media.film(tmp_path / name, **settings))
    assert (stream.shape, stream.clock, stream.ends_early) == (media.SHAPE, "file", "")
    assert times == pytest.approx(EVEN, abs=1e-3)  # Matroska counts milliseconds
    assert stream.step == pytest.approx(1 / media.RATE)
    assert pixels[0].dtype == np.uint8
    if name != "grey.mp4":  # its levels are written as of one range and read as of another
        assert np.abs(np.stack(pixels).astype(int) - media.frames()).mean() < 6  # what coding loses
    assert_in_order(pixels)


@pytest.mark.parametrize("bf", [0, 3])
def test_uneven_times_are_the_files_own(tmp_path, bf):
    stream, times, pixels = seen(media.film(tmp_path / "a.mp4", ticks=media.UNEVEN, bf=bf))
    assert times == pytest.approx([float(tick * media.TICK) for tick in media.UNEVEN], abs=1e-4)
    assert stream.ends_early == ""
    assert_in_order(pixels)


def test_a_given_rate_overrides_the_file(tmp_path):
    stream, times, _ = seen(media.film(tmp_path / "a.mp4", ticks=media.UNEVEN), rate=4)
    assert stream.clock == "given"
    assert times == pytest.approx([t / 4 for t in range(media.COUNT)])


def test_a_bare_stream_has_no_clock(tmp_path):
    stream, times, _ = seen(media.film(tmp_path / "a.h264", format="h264"))
    assert stream.clock == "assumed"
    assert times == pytest.approx([t / 8 for t in range(media.COUNT)])


def test_times_that_do_not_rise_are_a_usual_step_apart(tmp_path):
    path = media.film(tmp_path / "a.mkv", bf=0)
    held = bytearray(path.read_bytes())
    at = held.find(b"\xa3")  # a simple block: id, size, track, then its time within the cluster
    blocks = [place for place in range(at, len(held)) if held[place] == 0xA3 and held[place + 2] == 0x81]
    assert len(blocks) >= 3
    with opened(Clip(path=path)) as stream:
        step = stream.step
    held[blocks[2] + 3 : blocks[2] + 5] = held[blocks[1] + 3 : blocks[1] + 5]  # the third is shown with the second
    path.write_bytes(held)
    _, times, _ = seen(path)
    assert min(np.diff(times)) > 0
    assert times[2] == pytest.approx(times[1] + step, abs=2e-3)


def test_a_film_is_shrunk(tmp_path):
    large = np.repeat(np.repeat(media.frames(3), 20, axis=1), 20, axis=2)
    stream, _, pixels = seen(media.film(tmp_path / "a.mp4", large), long_side=320)
    assert stream.shape == (960, 1280)
    assert {frame.shape for frame in pixels} == {(240, 320, 3)}


@pytest.mark.parametrize("shape", [(47, 63), (16, 16), (17, 201)])
def test_odd_sizes(tmp_path, shape):
    level = np.full((4, *shape, 3), 90, np.uint8)
    stream, _, pixels = seen(media.film(tmp_path / "a.mp4", level, pix_fmt="yuv444p"), long_side=320)
    assert stream.shape == pixels[0].shape[:2] == shape


def test_a_turned_film_is_shown_as_it_should_be(tmp_path):
    stream, _, pixels = seen(media.turned(tmp_path / "a.mp4"))
    assert stream.shape == pixels[0].shape[:2] == media.SHAPE[::-1]
    straight = np.rot90(media.frames()[0], -1)
    assert np.abs(pixels[0].astype(int) - straight).mean() < 6
    small, _, reduced = seen(tmp_path / "a.mp4", long_side=32)
    assert small.shape == media.SHAPE[::-1]
    assert reduced[0].shape[:2] == (32, 24)


def test_one_frame_is_a_clip(tmp_path):
    _, times, _ = seen(media.film(tmp_path / "a.mp4", media.frames(1)))
    assert times == [0.0]


@pytest.mark.parametrize("name", ["clip.avi", "clip.gif", "clip.txt", "clip"])
def test_a_wrong_suffix_is_not_looked_at(tmp_path, name):
    source = media.film(tmp_path / "a.mp4")
    _, times, _ = seen(source.rename(tmp_path / name))
    assert times == pytest.approx(EVEN)


def test_a_path_like_an_address(tmp_path):
    (tmp_path / "http:").mkdir()
    _, times, _ = seen(media.film(tmp_path / "a.mp4").rename(tmp_path / "http:" / "%03d: a?.mp4"))
    assert times == pytest.approx(EVEN)


def test_a_film_that_was_cut_short_is_read_as_far_as_it_goes(tmp_path):
    noisy = np.random.default_rng(0).integers(0, 256, (40, 48, 64, 3), dtype=np.uint8)
    source = media.film(tmp_path / "a.mp4", noisy, movflags="faststart")  # what is needed first, comes first
    stream, times, _ = seen(media.cut(tmp_path / "b.mp4", source))
    assert 5 < len(times) < 40
    assert stream.ends_early == (
        f"the file cannot be decoded beyond frame {len(times)} (Invalid data found when processing input)"
    )
    source = media.film(tmp_path / "a.mkv", noisy)
    stream, times, _ = seen(media.cut(tmp_path / "b.mkv", source))
    assert 5 < len(times) < 40
    assert stream.ends_early == f"the file says that it lasts 3.33 s, and its frames end after {len(times) / 12:.2f} s"


def test_a_long_clip_is_read_in_part(tmp_path, monkeypatch):
    monkeypatch.setattr(streams.at_most, "__defaults__", (5,))
    stream, times, _ = seen(media.film(tmp_path / "a.mp4"))
    assert (len(times), stream.ends_early) == (5, "only the first 5 frames are read")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "got an empty file; expected a clip; copy or render it again"),
        (b"no film at all\n" * 50, "got an unreadable clip (Invalid data found when processing input)"),
        (b"GIF89a", "got no picture that can be read"),
        (b"ffconcat version 1.0\nfile other.mp4\n", "got an unreadable clip"),
        (b"\x93NUMPY\x01\x00", "EOF"),
        (b"PK\x03\x04 and no archive", "not a zip file"),
    ],
)
def test_what_is_no_clip(tmp_path, content, sentence):
    path = tmp_path / "a.mp4"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"a\.mp4: ") as told, opened(Clip(path=path)):
        pass
    assert sentence in str(told.value)


def test_a_list_of_other_films_is_no_film(tmp_path):
    media.film(tmp_path / "other.mp4")
    (tmp_path / "a.mp4").write_text("ffconcat version 1.0\nfile other.mp4\n")
    with pytest.raises(ValueError, match="concatenation script, no film"), opened(Clip(path=tmp_path / "a.mp4")):
        pass


def test_what_was_cut_before_its_index(tmp_path):
    path = media.cut(tmp_path / "b.mp4", media.film(tmp_path / "a.mp4"))
    with pytest.raises(ValueError, match="got no moving picture; expected a clip; is the file complete"):
        seen(path)


def test_sound_alone_is_no_clip(tmp_path):
    import wave

    with wave.open(str(tmp_path / "a.wav"), "wb") as sound:
        sound.setparams((1, 2, 8000, 0, "NONE", ""))
        sound.writeframes(bytes(16000))
    with pytest.raises(ValueError, match="got no moving picture"):
        seen(tmp_path / "a.wav")


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ValueError, match=r"a\.mp4: got no file that can be read \(No such file"):
        seen(tmp_path / "a.mp4")


def test_tiny_and_huge_frames(tmp_path):
    with pytest.raises(ValueError, match=r"got frames of 64 x 8 px; expected sides of 16 … 8192 px; render it larger"):
        seen(media.film(tmp_path / "a.mp4", np.zeros((2, 8, 64, 3), np.uint8)))
    wide = np.zeros((1, 16, 8194, 3), np.uint8)
    with pytest.raises(ValueError, match="shrink it before"):
        seen(media.film(tmp_path / "b.mkv", wide, codec="mjpeg", pix_fmt="yuvj420p"))


@pytest.mark.parametrize("name", ["a.png", "a/0.png"])
def test_a_huge_picture_is_refused_from_its_header(tmp_path, name):
    (tmp_path / "a").mkdir()
    write_image(np.zeros((16, 16), np.uint8), tmp_path / name)
    held = bytearray((tmp_path / name).read_bytes())
    held[16:24] = (13000).to_bytes(4, "big") * 2  # its width and height
    held[29:33] = zlib.crc32(held[12:29]).to_bytes(4, "big")
    (tmp_path / name).write_bytes(held)
    with pytest.raises(ValueError, match="got frames of 13000 x 13000 px; expected sides of 16 … 8192 px"):
        seen(tmp_path / name.partition("/")[0])


@pytest.mark.parametrize("rate", [0, -3, math.inf, 1e6])
def test_a_rate_that_is_none(tmp_path, rate):
    with pytest.raises(ValueError, match="frames per second; expected a number above 0"):
        seen(media.film(tmp_path / "a.mp4"), rate=rate)


@pytest.mark.parametrize(("name", "format"), [("a.gif", "GIF"), ("a.webp", "WEBP"), ("a.png", "PNG")])
def test_delays_of_animations(tmp_path, name, format):
    delays = [80] * 6 + [120] * 6
    stream, times, pixels = seen(media.animation(tmp_path / name, format, delays))
    assert stream.clock == "file"
    assert times == pytest.approx(np.cumsum([0, *delays[:-1]]) / 1000)
    assert_in_order(pixels)


def test_a_gif_without_delays_has_no_clock(tmp_path):
    path = media.animation(tmp_path / "a.gif", "GIF")
    stream, times, _ = seen(path)
    assert stream.clock == "assumed"
    assert times == pytest.approx([t / 8 for t in range(media.COUNT)])
    stream, times, _ = seen(path, rate=24)
    assert stream.clock == "given"
    assert times[-1] == pytest.approx(11 / 24)


def test_a_gif_that_was_cut_short(tmp_path):
    source = media.animation(tmp_path / "a.gif", "GIF", [80] * 12)
    stream, times, _ = seen(media.cut(tmp_path / "b.gif", source))
    assert 2 < len(times) < media.COUNT
    assert stream.ends_early.startswith(f"the file cannot be decoded beyond frame {len(times)}")
    stream, times, _ = seen(media.cut(tmp_path / "c.gif", source, 0.9999))  # its last byte is gone
    assert stream.ends_early == "the file ends before its last frame"


def test_a_folder_of_frames_in_natural_order(tmp_path):
    stream, times, pixels = seen(media.frame_folder(tmp_path / "a"))
    assert stream.clock == "assumed"
    assert len(times) == media.COUNT
    assert_in_order(pixels)  # 10.png comes after 9.png
    assert seen(tmp_path / "a", rate=6)[1][-1] == pytest.approx(11 / 6)


def test_a_folder_with_a_damaged_frame(tmp_path):
    folder = media.frame_folder(tmp_path / "a")
    (folder / "7.png").write_bytes(b"\x89PNG")
    stream, times, _ = seen(folder)
    assert len(times) == 7
    assert stream.ends_early.startswith("7.png cannot be read, and what follows is not: ")
    (folder / "0.png").write_bytes(b"")
    with pytest.raises(ValueError, match=r"0\.png: got no picture"):
        seen(folder)


def test_frames_of_several_sizes_and_modes_become_like_the_first(tmp_path):
    folder = media.frame_folder(tmp_path / "a")
    write_image(np.full((96, 128), 90, np.uint8), folder / "5.png")
    stream, _, pixels = seen(folder)
    assert {frame.shape for frame in pixels} == {(48, 64, 3)}
    assert (pixels[5] == 90).all()
    assert stream.ends_early == "5.png differs in size from the first frame and was resized"


def test_frames_that_lack_are_told_and_doubles_are_refused(tmp_path):
    folder = media.frame_folder(tmp_path / "a")
    (folder / "5.png").unlink()
    assert seen(folder)[0].ends_early == "frames are missing between 4.png and 6.png"
    (folder / "4.jpg").write_bytes((folder / "4.png").read_bytes())
    with pytest.raises(ValueError, match=r"got frames as \.jpg and \.png; expected one kind"):
        seen(folder)
    fours = media.frame_folder(tmp_path / "b", [f"{4 * at:04d}.png" for at in range(media.COUNT)])
    assert not seen(fours)[0].ends_early


def test_an_empty_folder(tmp_path):
    with pytest.raises(ValueError, match=r"got a folder without pictures; expected frames such as 0001\.png"):
        seen(tmp_path)


@pytest.mark.parametrize("rate", [[1.0, 2.0], "fast"])
def test_a_rate_is_one_number(tmp_path, rate):
    np.savez(tmp_path / "a.npz", frames=media.frames(), rate=rate)
    with pytest.raises(ValueError, match=r"got rate = .*; expected one number: frames per second"):
        seen(tmp_path / "a.npz")


def test_arrays_in_files(tmp_path):
    np.save(tmp_path / "a.npy", media.frames())
    np.savez(tmp_path / "b.npz", frames=media.frames(), rate=6.0)
    np.savez_compressed(tmp_path / "c.npz", media.frames()[..., 0] / 255)
    stream, times, pixels = seen(tmp_path / "a.npy")
    assert stream.clock == "assumed"
    assert (np.stack(pixels) == media.frames()).all()
    stream, times, pixels = seen(tmp_path / "b.npz", long_side=32)
    assert stream.clock == "given"
    assert times[-1] == pytest.approx(11 / 6)
    assert pixels[0].shape == (24, 32, 3)
    assert seen(tmp_path / "b.npz", rate=3)[1][-1] == pytest.approx(11 / 3)
    assert (np.stack(seen(tmp_path / "c.npz")[2]) == media.frames()).all()


@pytest.mark.parametrize(
    ("arrays", "sentence"),
    [
        ({"other": np.zeros(3)}, r"got an archive of other; expected an array called frames"),
        ({"frames": np.zeros((4, 3, 48, 64), np.uint8)}, r"as torch has it"),
        ({"frames": np.full((2, 48, 64), 2.0)}, r"got floats of 2 … 2 in frame 0; expected 0 … 1"),
        ({"frames": np.zeros((0, 48, 64), np.uint8)}, r"none at all"),
        ({"frames": media.frames(), "rate": -1.0}, r"got -1.0 frames per second"),
    ],
)
def test_arrays_that_are_no_clip(tmp_path, arrays, sentence):
    np.savez(tmp_path / "a.npz", **arrays)
    with pytest.raises(ValueError, match=sentence) as told:
        seen(tmp_path / "a.npz")
    assert str(told.value).count("a.npz") == 1


def test_an_array_that_was_cut_short(tmp_path):
    np.save(tmp_path / "a.npy", media.frames())
    with pytest.raises(ValueError, match=r"b\.npy: "):
        seen(media.cut(tmp_path / "b.npy", tmp_path / "a.npy"))


def test_frames_in_memory():
    with opened(Clip(media.frames(), rate=24.0), 32) as stream:
        found = list(stream.frames)
    assert (stream.shape, stream.clock, stream.step) == (media.SHAPE, "given", 1 / 24)
    assert found[-1][0] == pytest.approx(11 / 24)
    assert found[0][1].shape == (24, 32, 3)
    with opened(Clip(media.frames())) as stream:
        assert stream.clock == "assumed"


def test_a_fault_of_the_reader_stays_its_own(tmp_path):
    with pytest.raises(OSError, match="disk"), opened(Clip(path=media.film(tmp_path / "a.mp4"))):
        raise OSError("disk")


def test_only_films_that_shrink_get_even_sides():
    assert smaller((47, 63), 320) == (47, 63)
    assert smaller((2160, 3840), 320) == (180, 320)
    assert smaller((4000, 17), 320) == (320, 2)


@pytest.mark.data
def test_a_real_film_without_times_of_presentation(data):
    """FIND's 012.mp4: 396 frames at 24000/1001 per second; its packets only say when they are decoded."""
    path = data / "find_video_gaze" / "videos" / "012.mp4"
    if not path.is_file():
        pytest.skip("the FIND clip is not here")
    with opened(Clip(path=path), 32) as stream:
        times = [seconds for seconds, _ in stream.frames]
    assert times == pytest.approx([t * 1001 / 24000 for t in range(396)])
    assert stream.ends_early == ""
