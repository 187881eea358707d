"""The examples on the pages of attention run, one after the other, as a reader would paste them."""

import re
from pathlib import Path

import numpy as np
import pytest

from beholder.attention.types import Lookers

DOCS = Path(__file__).parents[2] / "docs" / "reference"


def ran(page):
    """The names that a page's Python leaves behind."""
    names = {}
    for block in re.findall(r"```python\n(.*?)```", (DOCS / page).read_text("utf-8"), re.DOTALL):
        exec(block, names)
    return names


def test_an_interval_and_a_signal_of_one_picture():
    found = ran("saliency.md")
    interval, course = found["interval"], found["course"]
    assert interval.lo < interval.value < interval.hi
    assert interval.n == 10
    assert course.lag.tolist() == [-2, -1, 0, 1, 2]
    assert (course.mean > 150).all()


def test_a_pursuit_stays_in_steps():
    from beholder.attention.measures.multimatch import multimatch

    path = ran("scanpaths.md")["path"]
    assert path.signals["pursuit"].tolist() == [0, *[1] * 6, 0]
    assert np.all(np.diff(path.x[1:7]) == 50)
    lookers = Lookers({"a": path}, (400, 600))
    assert multimatch(path, lookers).value == pytest.approx(1)
