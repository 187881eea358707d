"""What all tests share: a cache of their own, the real data where it is, and workers that find the toys."""

import os
import time
from pathlib import Path

import pytest
from hypothesis import settings

import fault_table
from beholder.core.model_code import Process
from beholder.errors import Terminated

HERE = Path(__file__).parent

settings.register_profile("house", deadline=None)  # time is never a test, and the first example pays for imports
settings.load_profile("house")


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory):
    os.environ["BEHOLDER_CACHE"] = str(tmp_path_factory.mktemp("cache"))
    os.environ["XDG_DATA_HOME"] = str(tmp_path_factory.mktemp("data"))  # where copies of keys lie
    os.environ.setdefault("COLUMNS", "120")


@pytest.fixture(autouse=True)
def _clean_process():
    """Each test is a process of its own, as far as outcomes are shared that no model of others could have changed."""
    yield
    Process.foreign = Terminated.told = False


@pytest.fixture
def data():
    """The folder of real human data; a test that needs it skips where it is not."""
    place = Path(os.environ.get("BEHOLDER_DATA", HERE.parent.parent / "shared" / "data"))
    if not place.is_dir():
        pytest.skip("the real data is not here: set BEHOLDER_DATA")
    return place


@pytest.fixture
def toys_in_workers(monkeypatch):
    """Worker processes can import `toys`."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")]))


BEGAN = time.monotonic()


def pytest_terminal_summary(terminalreporter, config):
    """After the whole fault suite: its table, printed and kept."""
    partly = config.option.keyword or hasattr(config, "workerinput")  # one of several processes
    if config.option.markexpr != "faults" or partly:
        return
    reports = [
        report
        for state in ("passed", "failed", "skipped")
        for report in terminalreporter.stats.get(state, [])
        if "tests/faults/" in report.nodeid and (report.when == "call" or not report.passed)
    ]
    if reports and config.args in (config.getini("testpaths"), ["tests/faults"]):
        terminalreporter.write_line(fault_table.write(reports, time.monotonic() - BEGAN))
