"""Small clips for tests: a bright square that moves to the right, in every kind of file."""

import json
from fractions import Fraction

import numpy as np

SHAPE = (48, 64)
COUNT = 12
RATE = 12
TICK = Fraction(1, 600)  # s
UNEVEN = (0, 30, 90, 100, 200, 230, 260, 270, 400, 430, 460, 500)  # ticks


def frames(count=COUNT, shape=SHAPE):
    """uint8 (T, H, W, 3): the square's left side is at 4 + 3 t."""
    made = np.full((count, *shape, 3), 30, np.uint8)
    for t, frame in enumerate(made):
        frame[10:30, 4 + 3 * t : 20 + 3 * t] = 200
    return made


def left_side(frame):
    """Where the square begins."""
    return int(np.flatnonzero(frame[20, :, 0] > 115)[0])


def film(path, pixels=None, *, codec="libx264", pix_fmt="yuv420p", format=None, ticks=None, movflags="", bf=None):
    """A film of frames, shown at `ticks` if they are given; at most `bf` in a row are predicted from later ones."""
    import av

    shown = frames() if pixels is None else pixels
    with av.open(str(path), "w", format=format, options={"movflags": movflags} if movflags else {}) as out:
        stream = out.add_stream(codec, rate=RATE)
        stream.height, stream.width, stream.pix_fmt = *shown.shape[1:3], pix_fmt
        stream.options = {} if bf is None else {"bf": str(bf)}
        if ticks:
            stream.codec_context.time_base = TICK
        for at, pixels_of in enumerate(shown):
            frame = av.VideoFrame.from_ndarray(pixels_of, format="rgb24")
            if ticks:
                frame.pts, frame.time_base = ticks[at], TICK
            out.mux(stream.encode(frame))
        out.mux(stream.encode())
    return path


def cut(path, source, share=2 / 3):
    """The first part of a file."""
    whole = source.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    return path


def animation(path, format, durations=None):
    """A GIF, WebP or APNG; without durations, a GIF that stores none at all."""
    from PIL import Image

    first, *rest = [Image.fromarray(frame) for frame in frames()]
    delays = {"duration": durations} if durations else {}
    first.save(path, format, save_all=True, append_images=rest, loop=0, **delays)
    return path


def frame_folder(path, names=None):
    """A folder of PNG frames."""
    from PIL import Image

    path.mkdir(parents=True)
    for at, frame in enumerate(frames()):
        Image.fromarray(frame).save(path / (names[at] if names else f"{at}.png"))
    return path


def turned(path):
    """A film whose header says that it is shown a quarter turn clockwise, as phones write it."""
    film(path)
    held = bytearray(path.read_bytes())
    at = held.find(b"tkhd") + 4 + 4 + 20 + 16  # version and flags, times and ids, layer and volume: then the matrix
    matrix = (0, 1 << 16, 0, -(1 << 16), 0, 0, SHAPE[0] << 16, 0, 1 << 30)
    held[at : at + 36] = b"".join(number.to_bytes(4, "big", signed=True) for number in matrix)
    path.write_bytes(held)
    return path


def clips_folder(root):
    """Clips with a manifest."""
    for name in ("a.mp4", "b.gif"):
        (root / name).touch()
    (root / "manifest.csv").write_text("file,prompt,subject,fps,weather\na,A dog runs.,dog,8,rain\nb,Waves.,sea,,sun\n")
    return root


def vmbench_folder(root):
    """Two of VMBench's prompts, made up."""
    more = {"subject": "a fox", "subject_noun": "fox", "place": "forest", "action": "running"}
    records = [{"index": f"000{n}", "prompt": f"A fox runs {n} times.", **more} for n in (1, 2)]
    (root / "prompts.json").write_text(json.dumps(records))
    return root


def fetv_clips_folder(root):
    """Two GIFs in FETV's places; their ratings are those that the package carries."""
    for system in ("cogvideo", "videofusion"):
        (root / "actions" / system).mkdir(parents=True)
        animation(root / "actions" / system / "17.gif", "GIF")
    return root


FOLDERS = {"clips": clips_folder, "vmbench": vmbench_folder, "fetv_clips": fetv_clips_folder}  # datasets that need one
