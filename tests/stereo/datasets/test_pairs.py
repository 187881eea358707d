"""Anybody's folder of stereo pairs: names of all kinds are read right, or refused with what mends them."""

import numpy as np
import pytest
from PIL import Image

import stereo_folders as folders
from beholder.errors import Misuse
from beholder.io import disparity
from beholder.registry.load import dataset
from beholder.stereo.datasets.middlebury import middlebury
from beholder.stereo.datasets.pairs import pairs, read


def fits(sample):
    """Whether the left pixel x is the right pixel x − d."""
    left, right, d = sample.stimulus.left.astype(int), sample.stimulus.right.astype(int), sample.reference.disparity
    shift = int(np.nanmedian(d))
    return float(np.abs(left[:, shift:] - right[:, : 48 - shift]).mean()) < 1


@pytest.mark.parametrize(
    ("left", "right", "truth"),
    [
        ("left.png", "right.png", "disp.pfm"),
        ("imL.png", "imR.png", "dispL.npy"),
        ("im0.png", "im1.png", "disp0GT.pfm"),
        ("view1.png", "view5.png", "disp1.npy"),
        ("im2.ppm", "im6.ppm", "disp2.png"),
        ("Camera_Left.PNG", "camera_right.png", "Ground Truth.npy"),
        ("imageLeft.png", "imageright.png", "true disparity left.pfm"),
        ("L/1.png", "R/1.png", "Disparity/1.npy"),
        ("img_1.png", "img_2.png", "gt.pfm"),
    ],
)
def test_the_usual_names_are_read(tmp_path, left, right, truth):
    for name in ("Kitchen", "hall"):
        (tmp_path / name / truth).parent.mkdir(parents=True, exist_ok=True)
    found = pairs(folders.lab_by_scene(tmp_path, left, right, truth))
    assert [id.partition("/")[0] for id in found.ids] == ["Kitchen", "hall"]
    for sample in found:
        assert fits(sample)
        assert np.nanmax(sample.reference.disparity) == 3
        assert np.isnan(sample.reference.disparity[:2]).all()
        assert sample.stimulus.max_disparity == 16


def test_the_truth_of_the_right_view_and_further_views_are_left_alone(tmp_path):
    folders.lab_by_scene(tmp_path, "view1.png", "view5.png", "disp1.npy")
    for n in (0, 2, 3):
        folders.save(folders.shifted_pair(9)[0], tmp_path / "hall" / f"view{n}.png")
    np.save(tmp_path / "hall" / "disp5.npy", folders.constant(7.0))
    sample = pairs(tmp_path).load("hall")
    assert fits(sample)
    assert np.nanmax(sample.reference.disparity) == 3


def test_folders_of_sides_with_spaces_and_what_is_missing(tmp_path):
    found = pairs(folders.lab_by_folder(tmp_path))
    assert found.ids == ("shot_01", "shot_02")
    assert all(fits(sample) for sample in found)
    assert found.remarks == (
        "2 scenes are incomplete, and left out: shot_03 (no true disparity), shot_04 (no right image and no true "
        "disparity)",
        "2 scenes are without a range of disparities, which is taken from the truth: shot_01, shot_02",
    )


def test_an_8_bit_truth_is_refused_and_the_mended_command_works(tmp_path):
    folders.lab_by_name(tmp_path)
    with pytest.raises(
        Misuse, match=r"got an 8-bit truth, whose scale is not in the file; .* give it: pairs\(scale=4\)"
    ):
        dataset("stereo.datasets", f"pairs:{tmp_path}")
    found = dataset("stereo.datasets", f"pairs(scale=16):{tmp_path}")
    assert found.ids == ("cup", "plant_2")
    assert np.nanmax(found[0].reference.disparity) == 3
    seen = found[0].reference.regions["nonocc"]
    assert not seen[:, :6].any()
    assert seen[2:, 6:].all()
    assert not seen[:2].any()  # unknown


def test_the_scale_may_stand_in_the_name(tmp_path):
    folders.lab_by_scene(tmp_path)
    for name in ("Kitchen", "hall"):
        (tmp_path / name / "dispL.npy").unlink()
        folders.eight_bits(8 * folders.constant(), tmp_path / name / "disp_left_x8.png")
    assert np.nanmax(pairs(tmp_path)[0].reference.disparity) == 3


def test_swapped_sides_are_mended_by_the_setting(tmp_path):
    folders.lab_by_scene(tmp_path, "imR.png", "imL.png")  # called the other way round
    assert not fits(dataset("stereo.datasets", f"pairs:{tmp_path}")[0])
    assert fits(dataset("stereo.datasets", f"pairs(swap=true):{tmp_path}")[0])


@pytest.mark.parametrize(
    ("values", "settings", "said"),
    [
        (folders.constant(hole=-1), {"unknown": -1}, r"got the value -1 in 96 pixels; .* give unknown=-1"),
        (-folders.constant() * np.arange(1, 49) / 48, {"scale": -1}, r"got disparities of -3 … .* give scale=-1"),
        (folders.constant(1e4), {"scale": 1e4 / 3}, ""),
        (np.full((24, 48), np.nan), {}, "got no known disparity; expected a true map"),
        (np.zeros((12, 24)), {}, "got a map of 24 × 12 px for images of 48 × 24 px; expected one size"),
        (np.zeros((24, 48, 3)), {}, r"got float64 of shape \(24, 48, 3\); expected numbers \(H, W\)"),
    ],
)
def test_what_a_truth_cannot_be_is_refused_with_what_mends_it(tmp_path, values, settings, said):
    folders.lab_by_scene(tmp_path)
    np.save(tmp_path / "Kitchen" / "dispL.npy", values)
    if said:
        with pytest.raises(ValueError, match=said):
            pairs(tmp_path).load("Kitchen")
    if settings:
        assert np.nanmax(pairs(tmp_path, **settings).load("Kitchen").reference.disparity) == pytest.approx(3)


def test_the_range_is_that_of_the_setting_or_of_calib_txt(tmp_path):
    folders.lab_by_scene(tmp_path)
    (tmp_path / "hall" / "calib.txt").write_text("cam0=[1 0 0]\nndisp=24\n")
    found = pairs(tmp_path)
    assert [sample.stimulus.max_disparity for sample in found] == [16, 24]
    assert "1 scene is without a range of disparities, which is taken from the truth: Kitchen" in found.remarks
    assert pairs(tmp_path, max_disparity=40)[0].stimulus.max_disparity == 40
    assert pairs(tmp_path, max_disparity=40).remarks == ()
    with pytest.raises(ValueError, match="got disparities up to 3 px; expected less than 2"):
        _ = pairs(tmp_path, max_disparity=2)[0]


def test_a_valid_mask_and_one_of_middleburys(tmp_path):
    folders.lab_by_scene(tmp_path, truth_name="disp.npy")
    mask = np.full((24, 48), 255, np.uint8)
    mask[:, :10] = 128  # occluded
    folders.save(mask, tmp_path / "Kitchen" / "mask_nonocc.png")
    folders.save(
        np.where(np.arange(48) < 40, 1, 0)[None].repeat(24, 0).astype(np.uint8), tmp_path / "hall" / "valid.png"
    )
    kitchen, hall = (sample.reference for sample in pairs(tmp_path))
    assert kitchen.regions["nonocc"][2:, 10:].all()
    assert not kitchen.regions["nonocc"][:, :10].any()
    assert np.isnan(hall.disparity[:, 40:]).all()
    assert np.isfinite(hall.disparity[2:, :40]).all()


def test_formats(tmp_path):
    d = folders.constant()
    disparity.write(d, tmp_path / "k.png")
    Image.fromarray(d).save(tmp_path / "f.tif")
    folders.eight_bits(100 * d, tmp_path / "h.png", np.uint16)
    np.savez(tmp_path / "z.npz", d)
    np.save(tmp_path / "i.npy", np.nan_to_num(d, nan=1).astype(np.int16))
    for name, scale in (("k.png", None), ("f.tif", None), ("h.png", 100), ("z.npz", None)):
        assert np.array_equal(read(tmp_path / name, scale), d, equal_nan=True), name
    assert read(tmp_path / "i.npy")[3, 3] == 3
    folders.save(folders.picture(0), tmp_path / "c.png")
    with pytest.raises(
        ValueError, match="got an image of mode RGB; expected grey levels; this is a picture for display"
    ):
        read(tmp_path / "c.png", 4)
    (tmp_path / "d.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    with pytest.raises(ValueError, match="got no whole image"):
        read(tmp_path / "d.png")


def test_a_sparse_truth_has_no_made_regions(tmp_path):
    folders.lab_by_scene(tmp_path)
    d = folders.constant()
    d[:, ::3] = d[:, 1::3] = np.nan
    np.save(tmp_path / "hall" / "dispL.npy", d)
    assert set(pairs(tmp_path).load("hall").reference.regions) == {"all", "textureless"}


def test_a_folder_without_pairs_says_what_names_are_read(tmp_path):
    folders.save(folders.picture(0), tmp_path / "a_left.png")
    with pytest.raises(
        Misuse, match=r"1 scene is incomplete: a \(no right image and no true disparity\); expected a left"
    ):
        pairs(tmp_path)
    with pytest.raises(Misuse, match="the layout of KITTI; expected another; give kitti:"):
        pairs(folders.kitti_folder(tmp_path / "k"))


@pytest.mark.data
def test_regions_of_middlebury_are_the_same_by_its_own_loader(data):
    place = data / "stereo" / "mb_v2"
    for id in middlebury(place).ids:
        ours, theirs = (make(place).load(id).reference.regions for make in (pairs, middlebury))
        assert ours.keys() == theirs.keys()
        assert all(np.array_equal(ours[name], theirs[name]) for name in ours), id
