"""The command does its sums on one thread, as its workers do, unless the user says otherwise."""

import os

import pytest

from beholder import cli
from beholder.engines.local import SINGLE


def test_one_thread_unless_told_otherwise(monkeypatch):
    seen = {}
    monkeypatch.setattr(os, "environ", {"OMP_NUM_THREADS": "3"})
    monkeypatch.setattr(cli, "bare_flags", lambda _: lambda **_: seen.update(os.environ))
    with pytest.raises(SystemExit):
        cli.main()
    assert seen == {**SINGLE, "OMP_NUM_THREADS": "3"}
