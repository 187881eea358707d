"""Databases for the study server: SQLite, and a PostgreSQL of Debian's package where there is one."""

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

import study_servers


def _programs():
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
    return found[-1].parent if found else None


def _user():
    """PostgreSQL does not run as root: its own user, else nobody."""
    if os.getuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in ("postgres", "nobody") if name in names), None)


@pytest.fixture(scope="session")
def postgres():
    """The address of a real PostgreSQL, started for these tests."""
    programs = _programs()
    if programs is None:
        pytest.skip("no PostgreSQL here: Debian's package postgresql has it")
    user = _user()
    if os.getuid() == 0 and user is None:
        pytest.skip("PostgreSQL does not run as root, and there is no other user")
    folder = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))  # short: the path of a socket has at most 107 signs
    if user:
        shutil.chown(folder, user)
    as_user = {"user": user, "cwd": folder} if user else {"cwd": folder}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "timeout": 60}
    port = study_servers.free_port()
    data = folder / "data"
    initialise = [programs / "initdb", "-D", data, "-U", "beholder", "-A", "trust", "-E", "UTF8", "--no-sync"]
    subprocess.run(initialise, check=True, **as_user, **quiet)
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c max_connections=200"
    start = [programs / "pg_ctl", "-D", data, "-w", "-l", folder / "log", "-o", options, "start"]
    subprocess.run(start, check=True, **as_user, **quiet)
    try:
        yield f"postgresql://beholder@127.0.0.1:{port}"
    finally:
        subprocess.run([programs / "pg_ctl", "-D", data, "-m", "immediate", "stop"], check=True, **as_user, **quiet)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres_db(postgres):
    """An empty database of its own."""
    import psycopg

    name = f"study_{os.urandom(6).hex()}"
    with psycopg.connect(f"{postgres}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    yield f"{postgres}/{name}"
    with psycopg.connect(f"{postgres}/postgres", autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(params=["sqlite", "postgresql"])
def db(request, tmp_path):
    """Both databases, one after the other."""
    return str(tmp_path / "answers.sqlite") if request.param == "sqlite" else request.getfixturevalue("postgres_db")
