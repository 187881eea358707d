"""Files made to do harm are refused by their names, soon, in little memory, and nothing of them is ever executed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hazards import HAZARDS

pytestmark = pytest.mark.fuzz
MOST = 1500  # MB that refusing any of them may take
HARMLESS = {"long.asc"}  # may be read: what is no number is lost
SECONDS = 20  # that all of this file may take, each; the machine may be busy

# Reads each file in turn, and tells what was said, the seconds of this process, and its peak; it may die on the way.
READING = """
import faulthandler, json, resource, sys, time, warnings
from pathlib import Path
faulthandler.enable()
warnings.simplefilter("error")
import readable
readers = {one.name: one.read for one in readable.FOUND}
resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
for file, name in json.loads(sys.argv[1]):
    began = time.process_time()
    try:
        readers[name](Path(file))
        said = ["nothing", ""]
    except BaseException as fault:
        said = [type(fault).__name__, str(fault)]
    lines = Path("/proc/self/status").read_text().splitlines()  # ru_maxrss would count the parent's at the fork
    peak = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1e3
    print(json.dumps([file, *said, time.process_time() - began, peak]), flush=True)
"""


@pytest.fixture(scope="module")
def refusals(tmp_path_factory):
    place = tmp_path_factory.mktemp("hazards")
    asked = []
    for make, name, reader in HAZARDS:
        path = place / reader.replace(".", "_") / name
        path.parent.mkdir(parents=True, exist_ok=True)
        make(path)
        asked.append((str(path), reader))
    here = str(Path(__file__).parents[1])
    script = f"import sys; sys.path.insert(0, {here!r})\n{READING}"
    done = subprocess.run(
        [sys.executable, "-c", script, json.dumps(asked)], check=False, capture_output=True, text=True, timeout=300
    )
    found = {file: rest for file, *rest in map(json.loads, done.stdout.splitlines())}
    return place, found, done.stderr


@pytest.mark.parametrize(("name", "reader"), [(name, reader) for _, name, reader in HAZARDS])
def test_a_hazard_is_refused_by_its_name(refusals, name, reader):
    place, found, told = refusals
    path = place / reader.replace(".", "_") / name
    assert str(path) in found, f"the process died on it or before: {told[-2000:]}"
    kind, said, seconds, peak = found[str(path)]
    assert kind in ("ValueError", "Misuse", "NotFound") or name in HARMLESS, f"{kind}: {said}"
    assert path.name in said or name in HARMLESS
    assert "unsafely" not in said  # NumPy's advice
    assert seconds < SECONDS
    assert peak < MOST


def test_nothing_was_unpickled(refusals):
    assert not list(refusals[0].rglob("harmed"))
