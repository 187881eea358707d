import json
from itertools import combinations

import numpy as np
import pytest

from attention_walks import SCREEN, A, B, person
from beholder.attention.gaze.pursuit import insert_pursuits, pursuit_path
from beholder.attention.gaze.vectors import DIMENSIONS, Simplification, alignment, saccade_vectors, simplified_vectors
from beholder.attention.measures.multimatch import Weights, multimatch, similarities
from beholder.attention.types import keep_inside, scanpath
from beholder.core.measure import NotApplicable
from beholder.errors import Misuse

LOOSE = Simplification(45.0, 300.0, 0.1)  # 100 px of the diagonal of 800 x 600


def five(found):
    return [found.parts[name] for name in DIMENSIONS]


def test_golden_values_of_the_peer():
    lookers = person(B, SCREEN)
    plain = [0.9776393202250021, 0.9384172705986537, 0.9688943251353228, 0.9776393202250021, 0.8]
    merged = [0.9796922359359559, 0.9575367181112951, 0.987162919443595, 0.9776393202250021, 0.8166666666666667]
    assert five(multimatch(A, lookers)) == pytest.approx(plain, abs=1e-12)
    assert five(multimatch(A, lookers, simplify=LOOSE)) == pytest.approx(merged, abs=1e-12)
    assert five(multimatch(A, lookers, simplify=True)) == pytest.approx(merged, abs=1e-12)
    assert multimatch(A, lookers).value == pytest.approx(np.mean(plain))


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (False, [0.9908214704635666, 0.6990173580895535, 0.9892706868408663, 0.9476688640825708, 0.6556329849012776]),
        (
            Simplification(45.0, 300.0, 146.8 / np.hypot(720, 1280)),
            [0.9507584768136468, 0.9563754867442382, 0.9408236735529101, 0.9449116403049861, 0.7826086956521738],
        ),
    ],
)
def test_golden_values_of_the_matlab_toolbox(data, rule, expected):
    folder = data / "multimatch"
    if not folder.is_dir():
        pytest.skip("the scanpaths of multimatch_gaze are not here")
    x, y, s = np.loadtxt(folder / "segment_10_sub-19.tsv", skiprows=1).T
    other = np.loadtxt(folder / "segment_10_sub-01.tsv", skiprows=1).T
    lookers = person(scanpath(other[0], other[1], duration_ms=1000 * other[2]), (720, 1280))
    assert five(multimatch(scanpath(x, y, duration_ms=1000 * s), lookers, simplify=rule)) == pytest.approx(
        expected, abs=1e-9
    )


def test_people_who_search_interiors_are_as_alike_as_published(data):
    folder = data / "interiors_search"
    if not folder.is_dir():
        pytest.skip("the Interiors set is not here")
    picture = "grayscale_100_oliva.jpg"
    paths = []
    for file in sorted((folder / "Datasets/Interiors/human_scanpaths").glob("*.json")):
        trial = json.loads(file.read_text()).get(picture)
        if trial and trial["target_found"] and len(trial["X"]) >= 3:
            x, y = np.trunc(trial["X"]), np.trunc(trial["Y"])
            paths.append(saccade_vectors(scanpath(x, y, duration_ms=trial["T"][: len(x)])))
    pairs = list(combinations(paths, 2))
    assert len(pairs) == 595
    found = np.mean([similarities(a, b, diagonal=np.hypot(768, 1024)) for a, b in pairs], axis=0)
    assert found == pytest.approx([0.95033402, 0.77437787, 0.94605566, 0.90185654, 0.56786055], abs=5e-9)
    stored = json.loads((folder / "Results/Interiors_dataset/IVSN/multimatch_human_mean_per_image.json").read_text())
    assert found == pytest.approx(np.array(stored[picture], float), abs=1e-8)


def test_collinear_paths_do_not_crash_the_simplification():
    # 2946 of 3000 such paths raise IndexError in the peer
    rng = np.random.default_rng(0)
    for _ in range(100):
        x = np.sort(rng.uniform(0, 800, 6))
        path = scanpath(x, 0.5 * x, duration_ms=rng.uniform(50, 250, 6))
        assert 1 <= len(simplified_vectors(path, LOOSE, diagonal=1000.0)) <= 5
        assert five(multimatch(path, person(path, SCREEN), simplify=LOOSE)) == pytest.approx([1] * 5)


def test_a_path_that_never_moves():
    still = scanpath([5, 5, 5], [5, 5, 5], duration_ms=[0, 0, 0])
    assert five(multimatch(still, person(still, SCREEN), simplify=LOOSE)) == pytest.approx([1] * 5)


def test_without_durations_the_mean_is_of_the_others():
    found = multimatch(scanpath(A.x, A.y), person(B, SCREEN))
    assert np.isnan(found.parts["duration"])
    assert found.reason == "1 of 1 pairs: durations are unknown: mean of the other dimensions"
    assert multimatch(A, person(B, SCREEN)).reason == ""
    assert found.value == pytest.approx(np.mean(five(multimatch(A, person(B, SCREEN)))[:4]))
    spatial = Weights(duration=0)
    assert multimatch(A, person(B, SCREEN), weights=spatial).value == pytest.approx(found.value)


def test_weights_of_dimensions():
    lookers = person(B, SCREEN)
    only = Weights(0, 0, 0, 1, 0)
    assert multimatch(A, lookers, weights=only).value == multimatch(A, lookers).parts["position"]
    with pytest.raises(Misuse, match="one above 0"):
        multimatch(A, lookers, weights=Weights(0, 0, 0, 0, 0))


def test_a_fixation_that_was_left_out_leaves_no_vector():
    path = scanpath([0, 10, 999, 30, 40, 45], [0, 0, 0, 20, 20, 20], duration_ms=[100] * 6)
    kept, _ = keep_inside(path, (40, 60))
    assert saccade_vectors(kept).steps.tolist() == [[10, 0], [10, 0], [5, 0]]
    assert saccade_vectors(kept).starts.tolist() == [[0, 0], [30, 20], [40, 20]]
    merged = simplified_vectors(kept, Simplification(amplitude=0), diagonal=72)
    assert merged.steps.tolist() == [[10, 0], [10, 0], [5, 0]]  # neighbours of the gap are not merged
    straight = person(scanpath([0, 10, 20], [0, 0, 0]), (40, 60))
    assert multimatch(path, straight).parts["direction"] == 1  # the way round by (30, 20) is nobody's
    nothing, _ = keep_inside(scanpath([0, 999, 30], [0, 0, 0]), (40, 60))
    with pytest.raises(NotApplicable, match="it has no saccade"):
        multimatch(nothing, straight)


def test_weights_of_fixations():
    def path(y, weight):
        return scanpath([0, 10, 20, 30], [0, y, 0, 0], duration_ms=[9] * 4, weight=weight)

    flat = person(path(0, [1, 1, 1, 1]), (40, 40))
    first = multimatch(path(8, [9, 0, 0, 0]), flat, weights=Weights(fixations="weight"))
    last = multimatch(path(8, [0, 0, 9, 9]), flat, weights=Weights(fixations="weight"))
    assert last.parts["direction"] > first.parts["direction"]  # the turn is in the first two saccades
    assert last.parts["direction"] == 1
    with pytest.raises(Misuse, match="expected one of duration_ms, weight"):
        multimatch(path(8, [1] * 4), flat, weights=Weights(fixations="pupil"))


def test_the_alignment_can_be_by_anything():
    a, b = saccade_vectors(A), saccade_vectors(B)
    assert all(len(i) >= max(len(a), len(b)) for i, _ in (alignment(a, b, by=name) for name in DIMENSIONS))
    same = alignment(a, b, by=lambda u, v: np.linalg.norm(u.steps[:, None] - v.steps, axis=-1))
    assert [list(of) for of in same] == [list(of) for of in alignment(a, b)]
    with pytest.raises(Misuse, match=r"costs of shape \(1, 1\); expected \(5, 4\)"):
        alignment(a, b, by=lambda u, v: np.zeros((1, 1)))
    with pytest.raises(Misuse, match="got align='colour'"):
        multimatch(A, person(B, SCREEN), align="colour")


def test_pursuit_comes_as_short_vectors_that_stay():
    trace = np.linspace(100, 400, 61)
    ramp = pursuit_path(trace, np.full(61, 50.0), np.arange(300.0, 905.0, 10.0), step_ms=100)
    rest = scanpath([20, 90, 500], [50, 50, 300], onset_ms=[0, 150, 950], duration_ms=[100, 100, 100])
    path = insert_pursuits(rest, ramp)
    assert path.signals["pursuit"].tolist() == [0, 0, 1, 1, 1, 1, 1, 1, 0]
    kept = simplified_vectors(path, Simplification(45, 300, 0.1), diagonal=1000.0)
    bare = simplified_vectors(scanpath(path.x, path.y, duration_ms=path.duration_ms), LOOSE, diagonal=1000.0)
    assert len(kept) >= 6 > len(bare)
    assert np.allclose(kept.steps[-6:-1], [[50, 0]] * 5)


def test_fewer_than_two_fixations_have_no_saccade():
    with pytest.raises(NotApplicable, match="a scanpath of 1 fixation"):
        multimatch(scanpath([1], [1]), person(B, SCREEN))
    assert np.isfinite(multimatch(scanpath([1, 9], [1, 9]), person(B, SCREEN)).value)
