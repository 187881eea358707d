"""Figures of motion: what is drawn is what was measured."""

import io

import numpy as np
import pytest

from beholder.core.sample import Sample
from beholder.io import image
from beholder.motion.figures.courses import contact_sheet, courses, film_strip, human_course
from beholder.motion.types import Flow, Movie, Percept, Velocity

PAIRS = 22
DIAMOND = Percept(
    "diamond", 0.0, 10.0, vector_average=44.0, average_speed=6.95, conditions={"contrast": 1.0, "textured": 0.0}
)


def movie(pairs=PAIRS):
    frames = np.full((pairs + 1, 24, 32), 20.0, np.float32)
    for at in range(pairs + 1):
        frames[at, 8:16, 4 + at % 20 : 8 + at % 20] = 40.0
    return Movie(frames, 50.0, 8.0)


def decaying(pairs=PAIRS):
    seconds = movie(pairs).seconds
    angle = np.radians(40 * np.exp(-seconds / 0.09))
    return Velocity(10 * np.stack([np.cos(angle), np.sin(angle)], axis=1))


def pixels(figure):
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    buffer.seek(0)
    return image.read(buffer)


def lines(figure):
    return {line.get_label(): line for axes in figure.axes for line in axes.get_lines()}


def test_each_model_has_its_course_and_its_end():
    answers = {"decays": decaying(), "true": Velocity(np.tile([10.0, 0.0], (PAIRS, 1)))}
    figure = courses(Sample("a", movie(), DIAMOND), answers)
    found = lines(figure)
    assert found["decays"].get_ydata() == pytest.approx(40 * np.exp(-movie().seconds / 0.09))
    assert found["decays"].get_xdata()[0] == pytest.approx(10)  # ms
    assert found["true"].get_ydata() == pytest.approx(np.zeros(PAIRS))
    assert list(found["vector average"].get_ydata()) == pytest.approx([44, 44])
    polar = figure.axes[2]
    rays = [line.get_xdata()[0] for line in polar.get_lines()]
    assert sorted(np.degrees(rays).round(1)) == pytest.approx([0, 0, 0.5, 44], abs=0.2)
    assert len(np.unique(pixels(figure).reshape(-1, 3), axis=0)) > 10


def test_the_fit_is_drawn_where_there_is_a_decay_only():
    grey = lambda figure: [  # noqa: E731
        line for line in figure.axes[1].get_lines() if line.get_color() == "#808080"
    ]
    sample = Sample("a", movie(), DIAMOND)
    assert len(grey(courses(sample, {"decays": decaying()}))) == 1
    assert grey(courses(sample, {"true": Velocity(np.tile([10.0, 0.0], (PAIRS, 1)))})) == []


def test_the_band_of_people_says_that_it_rests_on_placeholders(tmp_path):
    figure = courses(Sample("a", movie(), DIAMOND), {})
    bands = [band.get_label() for band in figure.axes[1].collections]
    assert bands == ["people ± 1 sd (placeholders),\nfrom the onset of the response"]
    record = 'stimulus = "d"\nquantity = "x"\nsource = "me"\nstatus = "verified"\nspread_kind = "sd"\n'
    file = tmp_path / "mine.toml"
    file.write_text(
        "".join(
            f'["diamond.{name}"]\n{record}value = {value}\nspread = 1e-6\n'
            for name, value in (("alpha", 30), ("beta", 3), ("tau", 0.1))
        )
    )
    figure = courses(Sample("a", movie(), DIAMOND), {}, reference=str(file))
    assert [band.get_label() for band in figure.axes[1].collections] == [
        "people ± 1 sd,\nfrom the onset of the response"
    ]
    mean, sd = human_course(np.array([0.0, 0.1]), reference=str(file))
    assert mean == pytest.approx([33, 3 + 30 / np.e])
    assert sd.max() < 1e-3


def test_the_spread_of_people_is_that_of_drawn_observers(tmp_path):
    rng = np.random.default_rng(0)
    record = 'stimulus = "d"\nquantity = "x"\nsource = "me"\nstatus = "verified"\nspread_kind = "sd"\n'
    file = tmp_path / "drawn.toml"
    means, spreads = (40.0, 2.0, 0.09), (4.0, 1.0, 0.005)
    file.write_text(
        "".join(
            f'["diamond.{name}"]\n{record}value = {value}\nspread = {spread}\n'
            for name, value, spread in zip(("alpha", "beta", "tau"), means, spreads, strict=True)
        )
    )
    alpha, beta, tau = rng.normal(means, spreads, (20000, 3)).T
    _, sd = human_course(np.array([0.05, 0.2]), reference=str(file))
    drawn = [np.std(alpha * np.exp(-t / tau) + beta) for t in (0.05, 0.2)]
    assert sd == pytest.approx(drawn, rel=0.05)


def test_other_kinds_have_no_band_and_what_has_no_direction_says_so():
    grating = Percept("grating", 90.0, 37.0, 90.0, 90.0, 37.0)
    nothing = Flow(np.full((PAIRS, 24, 32, 2), np.nan, np.float32))
    figure = courses(Sample("a", movie(), grating), {"nothing": nothing})
    assert not figure.axes[1].collections
    assert "nothing (no direction)" in lines(figure)
    assert "vector average" not in lines(figure)  # it is the direction itself
    assert pixels(figure).size


@pytest.mark.parametrize(("error", "least"), [(1e-5, 5.0), (-1e-5, 5.0), (60.0, 60.0), (-60.0, 60.0)])
def test_rounding_is_not_drawn_as_spikes(error, least):
    angle = np.radians(np.where(np.arange(PAIRS) % 5, 0.0, error))
    spikes = Velocity(10 * np.stack([np.cos(angle), np.sin(angle)], axis=1))
    low, high = courses(Sample("a", movie(), Percept("bar", 0.0, 10.0)), {"m": spikes}).axes[1].get_ylim()
    assert low <= -5
    assert high >= 5
    assert max(-low, high) == pytest.approx(least, rel=0.1)


def test_equal_answers_do_not_hide_one_another():
    same = Velocity(np.tile([10.0, 0.0], (PAIRS, 1)))
    figure = courses(Sample("a", movie(), Percept("bar", 0.0, 10.0)), {f"m{n}": same for n in range(3)})
    marks = [
        range(PAIRS)[slice(first, None, step)]
        for first, step in (lines(figure)[f"m{n}"].get_markevery() for n in range(3))
    ]
    assert all(len(own) > 1 for own in marks)
    assert len({at for own in marks for at in own}) == sum(len(own) for own in marks)
    rays = [line for line in figure.axes[2].get_lines() if line.get_marker() == "o"]
    lengths = [line.get_ydata()[1] for line in rays]
    assert len(lengths) == 3
    assert np.diff(lengths).max() < -0.05  # each is shorter than those below it, so that their ends show
    assert [line.get_color() for line in rays] == [lines(figure)[f"m{n}"].get_color() for n in range(3)]


def test_many_models_can_be_told_apart():
    figure = courses(Sample("a", movie(), DIAMOND), {f"m{n}": decaying() for n in range(15)})
    drawn = [lines(figure)[f"m{n}"] for n in range(15)]
    assert len({(line.get_color(), line.get_linestyle()) for line in drawn}) == 15


@pytest.mark.parametrize(("pairs", "shown"), [(PAIRS, 6), (2, 3)])
def test_the_film_strip_shows_frames_from_first_to_last(pairs, shown):
    figure = film_strip(movie(pairs))
    labels = [tick.get_text() for tick in figure.axes[0].get_xticklabels()]
    assert len(labels) == shown
    assert (labels[0], labels[-1]) == ("0 ms", f"{pairs * 20} ms")
    assert pixels(figure).shape[1] > 1000


def test_a_contact_sheet_names_its_movies_and_shows_their_contrast():
    faint = Movie(20 + (movie().frames - 20) * 0.05, 50.0, 8.0)
    figure = contact_sheet({"plain": movie(), "a long name of a faint one": faint})
    assert [axes.get_ylabel() for axes in figure.axes] == ["plain", "a long name of\na faint one"]
    for axes in figure.axes:  # black is no light, white twice the ground's
        assert axes.get_images()[0].get_clim() == pytest.approx((0, 40))
    assert pixels(figure).size
