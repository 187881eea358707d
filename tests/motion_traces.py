"""Traces and percepts made by hand, for the tests of motion measures: observers who have the facts right."""

import numpy as np

from beholder.motion.types import Percept, Trace

T = (np.arange(45) + 0.5) / 100
DIAMETERS = (2.5, 5.0, 10.0, 20.0, 40.0)


def aimed(degrees, *, speed=10.0, seconds=T):
    """A trace with these directions."""
    angles = np.radians(np.broadcast_to(degrees, seconds.shape))
    speeds = np.broadcast_to(speed, seconds.shape)[:, None]
    return Trace(seconds, speeds * np.stack([np.cos(angles), np.sin(angles)], axis=1), np.ones(len(seconds)))


NOWHERE = Trace(T, np.full((45, 2), np.nan), np.zeros(45))


def decay(alpha, beta, tau):
    """A course that falls exponentially."""
    return alpha * np.exp(-T / tau) + beta


def diamond(direction=0.0, turn=1, *, bias=44.0, contrast=1.0, textured=0.0):
    settings = {"turn": turn, "contrast": contrast, "textured": textured}
    return Percept("diamond", direction, 10.0, vector_average=direction + turn * bias, conditions=settings)


def pair(course, direction=0.0):
    """Traces of a ccw and a cw diamond whose error follows a course towards the vector average."""
    both = [diamond(direction, 1), diamond(direction, -1)]
    return [aimed(direction + course), aimed(direction - course)], both


def human():
    """A dataset of diamonds and an observer that has all the facts right."""
    percepts, traces = [], []
    for direction in (0.0, 90.0):
        for found, percept in zip(*pair(decay(40, 0, 0.06), direction), strict=True):
            traces.append(found)
            percepts.append(percept)
    controls = [diamond(bias=0.0), diamond(textured=1.0), diamond(contrast=0.1)]
    return [*traces, aimed(0.0), aimed(2.0), aimed(decay(43, 0, 0.12))], [*percepts, *controls]


def bar(length, tiles=1, turn=1):
    its = {"length": length, "tiles": tiles, "turn": turn}
    return Percept("bar", 0.0, 16.0, normal_direction=45.0 * turn, vector_average=45.0 * turn, conditions=its)


def monkey():
    settings = [(2.5, 1, 15, 0.04), (5.0, 1, 22, 0.06), (10.0, 1, 30, 0.09), (10.0, 2, 20, 0.05)]
    percepts = [bar(length, tiles) for length, tiles, _, _ in settings]
    return [aimed(decay(alpha, 0, tau), speed=16) for _, _, alpha, tau in settings], percepts


def gratings(profile, *, contrasts=(1.0, 0.1)):
    """Discs and an observer whose speed for (diameter, contrast, seconds) is given."""
    percepts, traces = [], []
    for contrast in contrasts:
        for diameter in DIAMETERS:
            its = {"diameter": diameter, "contrast": contrast}
            percepts.append(Percept("grating", 0.0, 37.0, conditions=its))
            traces.append(aimed(0.0, speed=np.array([profile(diameter, contrast, t) for t in T])))
    return traces, percepts


def summation(diameter, contrast, t):
    """Peaks at a size that grows with time and at low contrast; the surround comes in after 20 ms."""
    best = 10 if contrast == 1 and t < 0.08 else 20
    centre = min(diameter, best) / best
    late = 0.0 if t < 0.02 else 0.2 if t < 0.08 else 0.5
    return 30 * centre * (1 - late * max(0, np.log2(diameter / best) / 3))


def pole(aspect=3.0, indent=0.0, turn=1):
    plain = aspect > 1 and indent < 0.25
    its = {"angle": 45.0, "aspect": aspect, "indent": indent, "turn": turn, "masked": 0.0, "soft": 0.0}
    its["terminators"] = float(np.degrees(np.arctan2(1, aspect)))
    normal = 45.0 * turn
    return Percept("barber", 0.0 if plain else normal, 11.3, normal, normal, 8.0, conditions=its)


def turning(end, *, lag=0.004, tau=0.15):
    return end + (45 - end) * np.exp(-np.maximum(T - lag, 0) / tau)


def watched():
    percepts = [pole(1.0), pole(3.0), pole(6.0), pole(3.0, indent=0.25)]
    return [aimed(45.0), aimed(turning(5.0)), aimed(turning(0.0, tau=0.1)), aimed(44.0)], percepts
