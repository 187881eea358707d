"""People at probes: made up with known variances, and those of real datasets beside the truth."""

import numpy as np

from beholder.motion.perceived import Local, Probes


def world(seed=0, movies=6, probes=8, noise=0.5):
    """Movies in which people deviate from the truth in a way that a model may share."""
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(movies):
        truth, shared = rng.normal(0, 3, (2, probes, 2))
        people = 0.7 * truth + 0.5 * shared + rng.normal(0, noise, (4, 2, probes, 2))
        made.append((Probes(truth, people, ("1", "2", "3", "4")), Local(0.9 * truth + 0.5 * shared)))
    return [local for _, local in made], [of for of, _ in made]


def crowd(observers, noise=3.0, movies=150, seed=0):
    """Observers who share a deviation of variance 1 from the truth, and err by `noise` each."""
    rng = np.random.default_rng(seed)
    made, found = [], []
    for _ in range(movies):
        truth, shared = rng.normal(0, (3.0, 1.0), (20, 2, 2)).transpose(2, 0, 1)
        people = 0.7 * truth + shared + rng.normal(0, noise, (observers, 1, 20, 2))
        made.append(Probes(truth, people, tuple(map(str, range(observers)))))
        found.append(Local(truth + shared))
    return found, made


def references(dataset, **tags):
    samples = (dataset.load.samples[id] for id in dataset.ids)  # no frames are read
    return [s.reference for s in samples if all(s.tags[key].startswith(word) for key, word in tags.items())]


def truths(probes, scale=1.0):
    return [Local(scale * p.truth) for p in probes]


def components(probes):
    return (np.concatenate([getattr(p, name) for p in probes]) for name in ("everyone", "truth"))
