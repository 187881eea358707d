import shutil

import numpy as np
import pytest

from beholder.errors import Misuse
from beholder.io import film, video
from beholder.study.design.drawing import draw
from beholder.study.design.file import read
from beholder.study.design.new import new
from beholder.study.design.preset import preset
from beholder.video.exhibits.clips import DIMENSIONS, clips

PROMPTS = [f"{at:04}" for at in range(8)]


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Clips of two models for eight prompts, one as films and one as GIFs; a third lacks most of them."""
    root = tmp_path_factory.mktemp("clips")
    rng = np.random.default_rng(0)
    for name, suffix, hertz in (("wan", ".mp4", 20), ("mochi", ".gif", 10)):
        (root / name).mkdir()
        for prompt in PROMPTS:
            frames = np.repeat(rng.integers(0, 255, (10, 4, 6, 3), np.uint8), 12, axis=1).repeat(12, axis=2)
            video.write(frames, root / name / f"{prompt}{suffix}", hertz=hertz)
    (root / "few").mkdir()
    shutil.copy(root / "wan" / "0003.mp4", root / "few" / "0003.mp4")
    return root


def _models(folders, *names):
    return [f"{name}=dir:{folders / name}" for name in names]


def test_every_model_has_as_many_clips_of_the_same_prompts(folders, tmp_path):
    options = {"model": _models(folders, "wan", "mochi"), "prompts": 7, "raters": 3}
    study = read(new("clips", tmp_path / "s", options=options))
    judged = [item for item in study.items if item.use == "trial"]
    assert {item.group for item in judged if item.kind == "wan"} == {
        item.group for item in judged if item.kind == "mochi"
    }
    assert len(judged) == 10
    assert [question.dimension for question in study.questions] == list(DIMENSIONS)
    assert study.per_class == {"wan": 2, "mochi": 2}  # not 5 trials: none is rated more often than the other
    assert study.participants == 8  # 10 clips x 3 raters / 4 trials
    assert study.right == {}


def test_films_and_gifs_are_written_alike(folders, tmp_path):
    file = new(
        "clips", tmp_path / "s", options={"model": _models(folders, "wan", "mochi"), "prompts": 2, "seconds": 0.3}
    )
    media = {item.id: file.parent / item.media for item in read(file).items}
    assert {path.suffix for path in media.values()} == {".mp4"}
    facts = {name: film.facts(path) for name, path in media.items()}
    assert {fact.shape for fact in facts.values()} == {(48, 72)}
    assert {name.partition("/")[0]: fact.frames for name, fact in facts.items() if "/" in name} == {
        "wan": 6,
        "mochi": 3,
    }


def test_the_subset_is_drawn_by_the_seed(folders):
    some = [
        {piece.group for piece in clips(model=_models(folders, "wan"), prompts=3, seed=seed).pieces}
        for seed in (1, 1, 2)
    ]
    assert some[0] == some[1] != some[2]


def test_two_at_a_time(folders):
    shown = clips(model=_models(folders, "wan", "mochi"), trial="two_alternative", prompts=0)
    assert [question.dimension for question in shown.questions] == [*DIMENSIONS, "overall"]
    assert sum(piece.use == "practice" for piece in shown.pieces) == 4
    assert shown.study["participants"] == 3  # 6 prompts x 2 clips x 3 raters / (6 trials x 2)


def test_pairs_are_of_one_prompt_and_two_models(folders, tmp_path):
    options = {"model": _models(folders, "wan", "mochi"), "trial": "two_alternative"}
    study = read(new("clips", tmp_path / "s", options=options))
    groups = {item.id: item.group for item in study.items}
    drawn = [one for one in draw(study, {}, np.random.default_rng(0)) if one.use == "trial"]
    assert all(groups[one.item] == groups[one.other] and one.kind in ("wan|mochi", "mochi|wan") for one in drawn)


def test_the_preset_asks_for_three_raters_of_1200_clips():
    options = preset("vmbench")["options"]
    assert (options["prompts"] - 2) * 6 == 1200
    assert options["raters"] == 3


def test_what_cannot_be_shown_is_said(folders, tmp_path):
    with pytest.raises(Misuse, match="expected NAME=dir:FOLDER"):
        clips(model="wan")
    with pytest.raises(Misuse, match="which is not a folder"):
        clips(model=f"dir:{tmp_path / 'no'}")
    with pytest.raises(Misuse, match="without a clip"):
        clips(model=f"dir:{tmp_path}")
    with pytest.raises(Misuse, match="got 1 models; expected two or more"):
        clips(model=_models(folders, "wan"), trial="two_alternative")
    with pytest.raises(Misuse, match="got the model 'wan' twice"):
        clips(model=_models(folders, "wan", "wan"))
    with pytest.raises(Misuse, match="got 1 prompts that all of wan, few have a clip of"):
        clips(model=_models(folders, "wan", "few"))
    with pytest.raises(Misuse, match="expected rating or two_alternative"):
        clips(model=_models(folders, "wan"), trial="yes_no")


def test_a_clip_that_cannot_be_read_is_refused_in_a_sentence(tmp_path):
    for name in ("0001.mp4", "0002.mp4"):
        (tmp_path / name).write_bytes(b"no film")
    with pytest.raises(Misuse, match=r"000[12]\.mp4: got an unreadable clip"):
        clips(model=f"dir:{tmp_path}")


def test_every_model_is_shown_to_everybody(folders):
    models = [f"m{at}=dir:{folders / 'wan'}" for at in range(7)]
    with pytest.raises(Misuse, match="got 7 models and 6 trials; expected as many trials as models, or more"):
        clips(model=models)
