"""What is neither a file nor a folder, such as a pipe, is not read (that would wait for ever) and not replaced."""

import os
from pathlib import Path

import numpy as np
import pytest

from beholder.errors import Misuse
from beholder.io import arrays, bids, disparity, eyelink, film, flow, hateren, image, matlab, spring, structs, table
from beholder.io.atomic import write_whole
from beholder.io.names import files_below
from beholder.video.files.clips import opened
from beholder.video.types import Clip

READERS = {
    "a.npy": arrays.load,
    "a.csv": table.read,
    "a.json": table.read,
    "a.parquet": table.read,
    "a.png": image.read,
    "a.pfm": disparity.read,
    "a.flo": flow.read,
    "b.png": flow.read,
    "a.flo5": spring.read,
    "a.mat": matlab.read,
    "b.mat": structs.read,
    "a.asc": eyelink.read,
    "a.iml": hateren.read,
    "a.mp4": film.facts,
    "a_physio.json": bids._json,
    "a_events.tsv": bids._rows,
}


def pipe(folder: Path, name: str) -> Path:
    os.mkfifo(folder / name)
    return folder / name


@pytest.mark.parametrize("name", READERS)
def test_a_pipe_is_refused_unread(tmp_path, name):
    with pytest.raises(ValueError, match="got a pipe; expected a file"):
        READERS[name](pipe(tmp_path, name))


def test_a_clip_that_is_a_pipe_is_refused_unread(tmp_path):
    with pytest.raises(ValueError, match="got a pipe"), opened(Clip(path=pipe(tmp_path, "a.mp4"))):
        pass


def test_only_files_are_found_below_a_folder(tmp_path):
    pipe(tmp_path, "a.csv")
    (tmp_path / "b.csv").touch()
    assert [file.name for file in files_below(tmp_path)] == ["b.csv"]


def test_a_pipe_is_not_replaced_by_what_is_written(tmp_path):
    place = pipe(tmp_path, "page.html")
    (tmp_path / "link").symlink_to(place)
    for target in (place, tmp_path / "link"):
        with pytest.raises(Misuse, match="got a pipe; expected a file"):
            write_whole(target, "text")
    assert place.is_fifo()
    assert (tmp_path / "link").is_symlink()
    assert len(list(tmp_path.iterdir())) == 2


def test_what_a_link_leads_to_is_written_and_the_link_stays(tmp_path):
    (tmp_path / "far").mkdir()
    (tmp_path / "link").symlink_to("far/page.html")
    for text in ("new", "newer"):
        write_whole(tmp_path / "link", text)
        assert (tmp_path / "far" / "page.html").read_text() == text
    assert (tmp_path / "link").is_symlink()


def test_a_picture_of_too_many_pixels_and_one_that_is_cut_are_sentences_that_name_it(tmp_path):
    image.write(np.random.default_rng(1).integers(0, 256, (40, 40, 3), np.uint8), tmp_path / "whole.png")
    whole = (tmp_path / "whole.png").read_bytes()
    (tmp_path / "cut.png").write_bytes(whole[:900])
    (tmp_path / "wide.png").write_bytes(whole[:16] + (60_000).to_bytes(4, "big") * 2 + whole[24:])
    for name in ("cut.png", "wide.png"):
        with pytest.raises(ValueError, match=f"{name}: got "):
            image.read(tmp_path / name)
