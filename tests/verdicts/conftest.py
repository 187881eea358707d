import pytest

from beholder.core.scores import Score, table
from beholder.verdicts.components import components


def rows(model, *values, **more):
    made = [
        Score("b", 1, model, "model", "p", f"u{u}", 0, "x", "", "", "all", "lower", v, 0, 0, 1, "ok", "", "")
        for u, v in enumerate(values)
    ]
    return [row._replace(**more) for row in made]


@pytest.fixture(name="rows")
def _rows():
    """Rows of one model, one value per unit."""
    return rows


@pytest.fixture
def found():
    """Components of one model at some (measure, criterion, dataset, unit)."""

    def made(*where):
        return components(
            table(
                rows("a", 1.0, measure=k, criterion=c, dataset=dataset, unit=unit)[0] for k, c, dataset, unit in where
            )
        )

    return made
