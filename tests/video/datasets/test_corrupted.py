"""Corrupted clips: made from the seed and the id alone, from scenes or from a folder."""

import pickle

import av
import numpy as np
import pytest

from beholder.errors import Misuse, NotFound
from beholder.video.corruptions.invariances import GUISES
from beholder.video.corruptions.kinds import KINDS, Change
from beholder.video.datasets.corrupted import corrupted
from beholder.video.scenes.rendering import render
from beholder.video.scenes.writing import write


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Three short clips at 24 frames/s."""
    place = tmp_path_factory.mktemp("clips")
    for n, name in enumerate(("one", "two", "three")):
        frames = render(write(n, "crossing").script, rate=24.0, seconds=1.0, size=(120, 200)).pixels
        with av.open(str(place / f"{name}.mp4"), "w") as film:
            stream = film.add_stream("libx264", rate=24)
            stream.height, stream.width, stream.pix_fmt = 120, 200, "yuv420p"
            for frame in frames:
                film.mux(stream.encode(av.VideoFrame.from_ndarray(frame, format="rgb24")))
            film.mux(stream.encode())
    return place


def test_by_default_there_are_all_kinds_severities_and_guises():
    dataset = corrupted()
    assert len(dataset) == 2 * (21 * 6 + sum(1 + len(hows) for hows in GUISES.values()))
    assert "scene01/vanish/5" in dataset.ids
    assert "scene00/same_rate/1" in dataset.ids
    assert dataset.reference("scene01/vanish/5") == Change("scene01", "vanish", 5, "temporal_coherence", "falls", True)
    assert dataset.reference("scene00/same_mirror/1").expected == "stays"


def test_kinds_levels_and_clips_are_chosen():
    dataset = corrupted(kinds="gated+fade", levels=3, clips=1)
    assert len(dataset) == 3 * (sum(kind.gated for kind in KINDS.values()) + 1)
    assert {id.rsplit("/")[-1] for id in dataset.ids} == {"0", "2", "5"}


def test_a_sample_depends_on_its_id_and_seed_alone():
    few, many = corrupted(clips=1, frames=12), pickle.loads(pickle.dumps(corrupted(clips=4, frames=12).load))
    id = "scene00/teleport/4"
    assert np.array_equal(few.load(id).stimulus.pixels, many(id).stimulus.pixels)
    other = corrupted(clips=1, frames=12, seed=1).load(id)
    assert (few.load(id).stimulus.pixels != other.stimulus.pixels).any()


def test_a_clip_does_not_say_what_was_done_to_it():
    sample = corrupted(clips=1, frames=12).load("scene00/vanish/3")
    assert not sample.stimulus.facts
    assert not sample.stimulus.content
    assert sample.tags == {"clip": "scene00", "kind": "vanish", "severity": "3"}


def test_a_folder_of_clips(folder):
    dataset = corrupted(folder, kinds="vanish+same", frames=10)
    assert dataset.ids[0] == "one/vanish/0"
    assert len(dataset) == 3 * (6 + sum(1 + len(hows) for hows in GUISES.values()))
    faulty, whole = (dataset.load(f"two/{kind}").stimulus for kind in ("vanish/5", "same_mirror/0"))
    assert faulty.pixels.shape == (10, 120, 200, 3)
    assert faulty.rate == pytest.approx(12, rel=0.01)
    assert whole.pixels.shape == (20, 120, 200, 3)
    assert whole.rate == pytest.approx(24, rel=0.01)


def test_misuse_is_told(tmp_path):
    with pytest.raises(Misuse, match="without clips"):
        corrupted(tmp_path)
    with pytest.raises(Misuse, match="not a folder"):
        corrupted(tmp_path / "none")
    with pytest.raises(NotFound, match="vanish"):
        corrupted(kinds="vanishing")
    with pytest.raises(Misuse, match="levels=9"):
        corrupted(levels=9)
