"""What is sent at once: every trial once, and batches that pay, whatever entrants cost."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from beholder.engines.batches import BLOCK, LARGEST, WAY, Lanes

COSTS = {"quick": 0.0004, "medium": 0.03, "slow": 2.0}


def anybody(name):
    return True


def work_off(lanes, costs, workers=1):
    """Take batches in turns, as so many workers would, and say what each has cost."""
    batches, busy = [], []
    while True:
        while len(busy) < workers and (batch := lanes.take(anybody)):
            busy.append(batch)
        if not busy:
            return batches
        batch = busy.pop(0)
        batch.lane.busy -= 1
        for name, _ in batch.pairs:
            lanes.took(name, costs[name])
        batches.append(batch)


@given(st.lists(st.sampled_from(sorted(COSTS)), unique=True), st.integers(0, 90), st.integers(1, 4), st.data())
def test_every_trial_is_sent_once(names, count, workers, data):
    ids = [str(n) for n in range(count)]
    todo = {name: data.draw(st.lists(st.sampled_from(ids), unique=True)) if ids else [] for name in names}
    sent = [pair for batch in work_off(Lanes(ids, todo), COSTS, workers) for pair in batch.pairs]
    assert sorted(sent) == sorted((name, id) for name, own in todo.items() for id in own)


def test_batches_pay_once_costs_are_known():
    """40 models of 0.4 ms on one sample are 16 ms: several samples go together, and no batch is much too long."""
    costs = {f"m{n}": COSTS["quick"] for n in range(40)}
    ids = [str(n) for n in range(2000)]
    batches = work_off(Lanes(ids, dict.fromkeys(costs, ids)), costs)
    seconds = [sum(costs[name] for name, _ in batch.pairs) for batch in batches]
    assert sum(one for one in seconds if one >= BLOCK / 2) > 0.8 * sum(seconds)
    assert max(seconds) <= BLOCK
    assert max(len(ids) for batch in batches for _, ids in batch.work) <= LARGEST


def test_a_slow_entrant_goes_alone_and_one_that_needs_more_never_with_others():
    ids = [str(n) for n in range(10)]
    lanes = Lanes(ids, dict.fromkeys(("quick", "slow", "medium"), ids), alone={"medium"})
    several = [batch for batch in work_off(lanes, COSTS) if len(batch.work) > 1]
    assert not [name for batch in several for name, _ in batch.work if name != "quick"]


def test_samples_of_a_lane_are_one_workers_until_there_are_no_others():
    ids = [str(n) for n in range(6)]
    lanes = Lanes(ids, dict.fromkeys("ab", ids))
    taken = [lanes.take(anybody) for _ in range(6)]
    assert len({id for batch in taken for _, id in batch.pairs}) == 6
    assert {batch.lane.busy for batch in itertools.chain(taken, [lanes.take(anybody)])} == {1, 2}


def test_a_thousand_workers_get_longer_batches_than_one():
    """What they bring back together must not be more than one coordinator can take."""
    ids = [str(n) for n in range(400)]
    costs = {f"m{n}": COSTS["medium"] for n in range(40)}
    lengths = [
        max(sum(costs[name] for name, _ in batch.pairs) for batch in work_off(lanes, costs))
        for lanes in (Lanes(ids, dict.fromkeys(costs, ids), slots=slots) for slots in (1, 1000))
    ]
    assert lengths[0] <= BLOCK < 1 < lengths[1] <= 1000 * WAY
