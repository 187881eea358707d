import numpy as np
import pytest

from beholder.stereo.sweeps.sensitivity import Effect, effects, sensitivity_plot
from beholder.stereo.sweeps.variants import label

ERRORS = {
    label("sad", {"window": window, "cap": cap, "fill": True}): {"all": 10 * window + cap, "disc": 1.0}
    for window in (1, 2, 3)
    for cap in (4, 6)
}


def test_the_effect_of_a_parameter_is_the_mean_over_the_others():
    found = effects(ERRORS | {"truth": {"all": 0.0}, "ncc(window=1)": {"all": 99.0}}, "sad")
    assert [(e.parameter, e.value, e.mean) for e in found if e.criterion == "all"] == [
        ("window", 1, 15),
        ("window", 2, 25),
        ("window", 3, 35),
        ("cap", 4, 24),
        ("cap", 6, 26),
    ]
    first, *_, last = found
    assert first.spread == pytest.approx(2**0.5)  # of 14 and 16
    assert (last.criterion, last.mean, last.spread) == ("disc", 1, 0)
    assert np.isnan(Effect("p", 1, "all", (3.0,)).spread)


def test_the_figure_has_a_panel_for_each_parameter():
    figure = sensitivity_plot(effects(ERRORS, "sad"))
    assert [axes.get_xlabel() for axes in figure.axes] == ["window", "cap"]
    (bars, _) = figure.axes[0].containers
    np.testing.assert_allclose(bars.lines[0].get_ydata(orig=False), [15, 25, 35])
    with pytest.raises(ValueError, match="got no parameter with two values"):
        sensitivity_plot(effects({"sad(window=5)": {"all": 1.0}}, "sad"))
