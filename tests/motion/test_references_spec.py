"""Every line of the spec's list of human and monkey numbers (2.1 to 2.6) has its records, and every record its line."""

import math

import pytest

from beholder.motion.datasets.gratings import CONTRASTS, DIAMETERS
from beholder.motion.references import record, records
from beholder.motion.stimuli.bar import Bar
from beholder.motion.stimuli.barber_pole import BarberPole
from beholder.motion.stimuli.diamond import Diamond
from beholder.motion.stimuli.grating import Grating

LINES = {
    "2.1 design and window": "diamond.design diamond.window",
    "2.1 bias of the vector average": "diamond.bias diamond.bias_drawn",
    "2.1 no effect of turn and direction": "diamond.invariance",
    "2.1 starts towards the average, decays": "diamond.start diamond.decay static.diamond",
    "2.1 tau": "diamond.tau",
    "2.1 alpha, beta": "diamond.alpha diamond.beta",
    "2.1 observers": "diamond.observers",
    "2.1 convergence": "diamond.convergence diamond.open_loop",
    "2.1 type I": "diamond.type_one",
    "2.1 contrast and speed": "diamond.contrast diamond.fast",
    "2.1 two-dimensional information": "diamond.texture",
    "2.1 blanking": "diamond.blanking",
    "2.1 occluded diamond": "diamond.occluded occluded.phase_cw occluded.phase_ccw occluded.path occluded.lines "
    "occluded.apertures occluded.foreground",
    "2.1 speed, edges, lines, luminance": "diamond.speed diamond.edge diamond.width diamond.background",
    "2.2 peak error and its bar": "bar.peak bar.observers bar.long bar.width bar.luminance bar.speed bar.background "
    "static.bar",
    "2.2 longer bars": "bar.length",
    "2.2 evolution": "bar.evolution",
    "2.2 eccentricity": "bar.eccentricity",
    "2.2 tiles": "bar.tiles bar.gap",
    "2.2 predictability": "bar.predictability bar.predictability_people bar.bias_onset bar.bias_onset_people "
    "bar.bias_end",
    "2.2 neurons of MT": "bar.mt_shift",
    "2.3 short lines": "lines.design lines.length lines.width lines.orientations lines.speed lines.duration "
    "lines.frames lines.spacing lines.aperture lines.fixation lines.trials lines.contrasts lines.luminances "
    "lines.background lines.default lines.normal",
    "2.4 grating": "grating.design grating.hertz grating.speed grating.orientation static.grating",
    "2.4 grows and saturates": "grating.saturation",
    "2.4 integration grows with time": "grating.growth grating.low_contrast",
    "2.4 normalisation": "grating.normalisation grating.tuned",
    "2.4 readout": "grating.area",
    "2.4 diameters and the frame": "grating.diameters grating.largest grating.field grating.frames page.px_per_deg "
    "page.hertz",
    "2.4 contrast, luminance, size": "grating.contrasts grating.luminance grating.size",
    "5.5 windows, which 2.4 does not know": "grating.windows",
    "2.5 start": "barber.start",
    "2.5 later component": "barber.lag barber.amplitude",
    "2.5 between two sums": "barber.between barber.terminators",
    "2.5 masks and edges": "barber.masking barber.masked barber.edges barber.latencies",
    "2.5 final percept": "static.barber",
    "2.5 indented edges": "barber.indent barber.indent_scale",
    "2.5 aspect ratio and orientation": "barber.ratio barber.modes barber.cycle_ratio",
    "2.5 two frequencies": "barber.slow barber.slow_contrast barber.quick barber.quick_contrast barber.reverse_phi "
    "barber.scalloped",
    "2.5 usual shapes": "barber.shapes barber.angle",
    "2.6 contrast and speed": "speed.contrast speed.slower",
    "2.6 oblique directions": "direction.oblique direction.tails",
    "2.6 second-order beats": "beats.duration beats.gratings",
    "8 beyond the paper": "plaid.short plaid.first plaid.speed plaid.type_one plaid.faint plaid.balance static.plaid "
    "static.dots dots.threshold size.summation size.suppression bistable.other bistable.speed bistable.angle "
    "depth.behind",
}
NUMBERS = {  # id: (value, or levels, or range; unit; status)
    "diamond.design": (8, "stimuli", "seed"),
    "diamond.window": ((0, 0.45), "s", "seed"),
    "diamond.bias": (44, "deg", "seed"),
    "diamond.bias_drawn": (44.007, "deg", "derived"),
    "diamond.observers": ((2, 5), "observers", "placeholder"),
    "diamond.convergence": ((0, 0.3), "s", "verified"),
    "diamond.tau": (0.09, "s", "memory"),
    "diamond.speed": (10, "deg/s", "memory"),
    "diamond.occluded": ([5, 6], "deg", "verified"),
    "occluded.phase_cw": ([95, 92], "deg", "verified"),
    "occluded.phase_ccw": ([-85, -75], "deg", "verified"),
    "occluded.path": (0.9, "Hz", "verified"),
    "occluded.lines": (108, "cd/m²", "verified"),
    "occluded.apertures": (0.2, "cd/m²", "verified"),
    "occluded.foreground": (38, "cd/m²", "verified"),
    "bar.peak": (30, "deg", "seed"),
    "bar.long": (20, "deg", "seed"),
    "bar.width": (0.5, "deg", "seed"),
    "bar.luminance": (92, "cd/m²", "seed"),
    "bar.speed": (16, "deg/s", "seed"),
    "bar.evolution": ((0.05, 0.4), "s", "verified"),
    "bar.bias_onset": (0.1, "s", "verified"),
    "bar.bias_onset_people": (0.1, "s", "verified"),
    "bar.bias_end": (0.3, "s", "verified"),
    "bar.mt_shift": (0.06, "s", "verified"),
    "lines.design": (40, "deg", "verified"),
    "lines.length": (2.7, "deg", "verified"),
    "lines.width": (1.02, "arcmin or arcsec", "verified"),
    "lines.orientations": ([70, 110], "deg", "verified"),
    "lines.speed": (6.5, "deg/s", "verified"),
    "lines.duration": (0.332, "s", "verified"),
    "lines.frames": (30, "Hz", "verified"),
    "lines.spacing": (1, "deg", "verified"),
    "lines.aperture": (24, "deg", "verified"),
    "lines.fixation": (3, "arcmin", "verified"),
    "lines.trials": (400, "trials", "verified"),
    "lines.contrasts": ([0.12, 0.25, 0.39, 0.52, 0.7], "share", "verified"),
    "lines.luminances": ([13.44, 15, 16.68, 18.24, 20.4], "cd/m²", "derived"),
    "lines.background": (12, "cd/m²", "verified"),
    "lines.default": ([150, 20], "cd/m²", "verified"),
    "grating.design": (0.27, "cycles/deg", "verified"),
    "grating.hertz": (10, "Hz", "verified"),
    "grating.speed": (37, "deg/s", "verified"),
    "grating.orientation": (0, "deg", "verified"),
    "grating.field": (350, "px", "verified"),
    "grating.frames": (22, "frames", "verified"),
    "page.px_per_deg": (8, "px/deg", "verified"),
    "page.hertz": (16, "Hz", "verified"),
    "grating.largest": (40, "deg", "derived"),
    "grating.windows": ([0.04, 0.08, 0.12], "s", "derived"),
    "grating.normalisation": (0.02, "s", "verified"),
    "barber.start": (0.085, "s", "verified"),
    "barber.lag": ((0.015, 0.02), "s", "verified"),
    "barber.masked": (0.9, "share", "verified"),
    "barber.indent": (0.25, "periods", "verified"),
    "barber.slow": (2.75, "Hz", "verified"),
    "barber.slow_contrast": (0.32, "share", "verified"),
    "barber.quick": (21.5, "Hz", "verified"),
    "barber.quick_contrast": (0.04, "share", "verified"),
    "barber.shapes": ([1, 2, 3], "1", "memory"),
    "barber.angle": (45, "deg", "memory"),
    "barber.terminators": ([45, 18.4349, 9.4623], "deg", "derived"),
    "beats.duration": (0.2, "s", "verified"),
    "beats.gratings": (0.021, "s", "verified"),
}


def test_every_record_stands_on_one_line_of_the_spec():
    listed = [id for ids in LINES.values() for id in ids.split()]
    assert sorted(listed) == sorted(records())


@pytest.mark.parametrize("id", NUMBERS)
def test_a_number_is_that_of_the_spec(id):
    expected, unit, status = NUMBERS[id]
    found = record(id)
    if isinstance(expected, tuple):
        assert (found.low, found.high) == expected
    elif isinstance(expected, list):
        assert list(found.levels) == expected
    else:
        assert found.value == expected
    assert (found.unit, found.status) == (unit, status)


def test_every_record_with_a_number_is_compared_or_ours():
    """What is not in the table above is a placeholder or a fact without a number, or lies beyond the paper."""
    beyond = LINES["8 beyond the paper"].split()
    numbered = {id for id, of in records().items() if not math.isnan(of.value + 0 * of.spread) or of.levels}
    left = {id for id in numbered - set(NUMBERS) if id not in beyond and not id.startswith("static.")}
    assert {record(id).worst for id in left} == {"placeholder"}


def test_people_and_monkeys_are_told_apart():
    of_monkeys = {id for id, of in records().items() if of.species == "macaque"}
    assert all(id.startswith("bar.") or id == "static.bar" for id in of_monkeys)
    assert {record(id).species for id in ("bar.bias_onset_people", "bar.predictability_people")} == {"human"}
    assert record("bar.bias_onset_people").n == 4
    assert all(of.species for id, of in records().items() if not id.startswith("page."))


@pytest.mark.parametrize(("id", "n"), [("diamond.occluded", 4), ("speed.contrast", 6), ("bistable.other", 8)])
def test_observers_are_counted_where_a_source_does(id, n):
    assert record(id).n == n


def test_what_no_dataset_shows_says_so():
    unseen = ["diamond.fast", *(id for id in records() if id.startswith(("lines.", "occluded.")))]
    for id in unseen:
        assert (
            "no built-in dataset" in record(id).note or "no dataset" in record(id).note or "scored" in record(id).note
        ), id


def test_the_placeholders_are_what_is_drawn():
    """A stand-in for a setting that could not be read is the setting of our own stimuli."""
    diamond, bar, grating, pole = Diamond(), Bar(), Grating(), BarberPole()
    drawn = {
        "diamond.edge": diamond.edge, "diamond.width": diamond.width, "diamond.background": diamond.background,
        "diamond.speed": diamond.speed, "bar.gap": bar.gap, "bar.background": bar.background, "bar.long": bar.length,
        "bar.width": bar.width, "bar.luminance": bar.foreground, "bar.speed": bar.speed,
        "grating.luminance": grating.mean, "grating.design": grating.frequency, "grating.speed": grating.speed,
        "barber.angle": pole.angle,
    }  # fmt: skip
    assert {id: record(id).value for id in drawn} == drawn
    assert record("grating.diameters").levels == DIAMETERS
    assert record("grating.contrasts").levels == (1.0, *CONTRASTS)
    assert diamond.percept.bias == pytest.approx(record("diamond.bias_drawn").value, abs=1e-3)


def test_contrasts_and_luminances_of_the_lines_agree():
    ground = record("lines.background").value
    weber = [(level - ground) / ground for level in record("lines.luminances").levels]
    assert weber == pytest.approx(list(record("lines.contrasts").levels), abs=1e-9)
