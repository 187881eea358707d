import numpy as np

from beholder.verdicts.best import undecided


def test_who_cannot_be_told_from_the_leader():
    leader = np.linspace(0, 1, 100)
    drawn = np.stack([leader, leader + 0.01, leader + np.linspace(-1, 1, 100)], axis=1)
    assert undecided(drawn, np.array([True, False, False])).tolist() == [False, False, True]
