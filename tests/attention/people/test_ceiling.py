"""People as models: congruency against plain loops and published numbers, groups, and normalised scores."""

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter

from beholder.attention.datasets.mit1003 import mit1003
from beholder.attention.datasets.simulated import simulated
from beholder.attention.people import ceiling as people
from beholder.attention.types import Lookers, scanpath
from beholder.core.measure import NotApplicable
from beholder.errors import Misuse

SHAPE = (40, 60)


def group(count=4, fixations=5, seed=0, **more):
    """Some observers who look anywhere."""
    rng = np.random.default_rng(seed)
    paths = {f"o{n}": scanpath(*(rng.uniform(0, side, fixations) for side in SHAPE[::-1])) for n in range(count)}
    return Lookers(paths, SHAPE, 3.0, **more)


def around(x, y, count, seed):
    """Observers who look around a point."""
    rng = np.random.default_rng(seed)
    return [scanpath(rng.normal(x, 2, 6), rng.normal(y, 2, 6)) for _ in range(count)]


def test_congruency_is_what_a_plain_loop_finds():
    lookers = group()
    nss, hits, ranks = [], [], []
    for who in lookers.paths:
        counts = np.zeros(SHAPE)
        for name, path in lookers.paths.items():
            if name != who:
                np.add.at(counts, (path.y.astype(int), path.x.astype(int)), 1)
        smooth = gaussian_filter(counts, 3.0, mode="reflect")
        own = lookers.paths[who]
        at = smooth[own.y.astype(int), own.x.astype(int)]
        nss.append(np.mean((at - smooth.mean()) / smooth.std()))
        hits.append(np.mean([(smooth > value).sum() < 0.2 * smooth.size for value in at]))
        ranks.append(np.mean([((smooth < v).sum() + (smooth == v).sum() / 2) / smooth.size for v in at]))
    assert people.congruency(lookers, "nss").mean == pytest.approx(np.mean(nss))
    assert people.congruency(lookers, "nss").sem == pytest.approx(np.std(nss, ddof=1) / 2)
    assert people.congruency(lookers, "hit_rate").mean == pytest.approx(np.mean(hits))
    assert people.congruency(lookers, "auc").mean == pytest.approx(np.mean(ranks), abs=1e-3)  # rounding parts few ties


@pytest.mark.data
def test_the_least_and_the_most_congruent_picture_of_the_subset(data):
    dataset = mit1003(data / "mit1003_subset")
    found = {id: people.congruency(dataset.load(id).reference).mean for id in ("i1158900179", "i2201426231")}
    # By SciPy's gaussian_filter alone, mode "reflect"; with "nearest" it gives 1.4720 and 5.0963.
    assert found["i1158900179"] == pytest.approx(1.4683254, abs=1e-7)
    assert found["i2201426231"] == pytest.approx(5.0962801, abs=1e-7)


def test_people_who_look_alike_gain_information():
    alike = Lookers({f"o{n}": path for n, path in enumerate(around(20, 20, 5, 1))}, SHAPE, 3.0)
    assert people.congruency(alike, "information_gain").mean > 2
    assert people.congruency(group(), "information_gain").mean < 0.5


def test_by_rank_reads_one_fixation_of_each():
    lookers = group(fixations=3)
    scored = people.fixation_scores(lookers)
    course = people.congruency_by_number(lookers)
    assert course.mean == pytest.approx(np.mean(list(scored.values()), axis=0))
    assert course.n.tolist() == [4, 4, 4]


def test_by_count_reads_the_first_fixations_only_and_whoever_made_so_many():
    lookers = group(fixations=3)
    shorter = lookers.paths | {"o0": lookers.paths["o0"].at(slice(2))}
    course = people.congruency_by_count(Lookers(shorter, SHAPE, 3.0))
    assert course.n.tolist() == [4, 4, 3]
    without = Lookers({name: path for name, path in shorter.items() if name != "o0"}, SHAPE, 3.0)
    assert course.mean[2] == pytest.approx(people.congruency(without).mean)
    assert len(people.congruency_by_count(Lookers(shorter, SHAPE, 3.0), most=1).mean) == 1


def test_congruency_falls_with_the_fixation_number_and_a_salient_picture_is_above_a_featureless_one():
    dataset = simulated()
    courses = [people.congruency_by_number(people.shrink(sample.reference)) for sample in dataset]
    mean = people.mean_course(courses).mean
    assert mean[:2].mean() > mean[5:8].mean()
    kinds = {kind: [people.congruency(s.reference).mean for s in dataset if s.tags["kind"] == kind] for kind in
             ("pop-out", "featureless")}  # fmt: skip
    assert min(kinds["pop-out"]) > max(kinds["featureless"])


def test_a_coarse_picture_gives_nearly_the_same():
    lookers = simulated()[0].reference
    small = people.shrink(lookers)
    assert max(small.shape) <= 200
    assert people.congruency(small).mean == pytest.approx(people.congruency(lookers).mean, rel=0.05)
    assert people.shrink(small) is small


def test_groups_predict_themselves_better_with_equally_many_people():
    paths = {f"l{n}": path for n, path in enumerate(around(15, 20, 5, 2))}
    paths |= {f"r{n}": path for n, path in enumerate(around(45, 20, 3, 3))}
    groups = {name: {"l": "left", "r": "right"}[name[0]] for name in paths}
    lookers = Lookers(paths, SHAPE, 3.0, groups=groups)
    found = people.group_congruency(lookers, rng=np.random.default_rng(0))
    assert found["left", "left"].mean > found["left", "right"].mean + 1
    assert found["right", "right"].mean > found["right", "left"].mean + 1
    assert (found["left", "right"].n, found["right", "left"].n) == (5, 3)
    again = people.group_congruency(lookers, rng=np.random.default_rng(0))
    assert again == found
    with pytest.raises(NotApplicable, match="no two groups"):
        people.group_congruency(group(), rng=np.random.default_rng(0))


def test_normalised_scores():
    assert people.normalised(0.7, 0.9) == pytest.approx(0.7 / 0.9)
    assert people.normalised(0.7, 0.9, chance=0.5) == pytest.approx(0.5)
    assert np.isnan(people.normalised(0.7, 0.5, chance=0.5))
    assert people.normalised_auc(0.9, 0.9) == 1
    assert people.normalised_auc(0.5, 0.9) == 0.5


def test_who_did_not_fixate_is_nobody():
    lookers = Lookers({"a": scanpath(1, 1), "b": scanpath([], [])}, SHAPE)
    assert people.observers(lookers) == ("a",)
    with pytest.raises(NotApplicable, match="fewer than two people"):
        people.congruency(lookers)
    with pytest.raises(NotApplicable, match="fewer than two people"):
        people.congruency_by_count(lookers)
    with pytest.raises(Misuse, match="got by='emd'; expected one of"):
        people.congruency(group(), "emd")
    with pytest.raises(ValueError, match="got no courses"):
        people.mean_course([])
