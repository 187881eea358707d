"""What the fault tests share."""

import pytest

import fault_table
from fault_runs import COUNT, Place


def pytest_collection_modifyitems(items):
    """Everything here is of the fault suite: outside the default tests, `./do test -m faults`."""
    for item in items:
        if "tests/faults/" in item.nodeid:
            item.add_marker(pytest.mark.faults)


@pytest.fixture
def tell(request):
    """Write a line into the table of faults."""
    return lambda done, came: fault_table.tell(request.node, done, came)


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path / "place")


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory):
    """The table of a run that nothing befalls, in one process: workers, however many, must give the same bytes."""
    place = Place(tmp_path_factory.mktemp("undisturbed"))
    code, said = place.run("--engine", "serial")
    assert code == 0, said
    assert len(place.calls()) == COUNT
    return place.scores()
