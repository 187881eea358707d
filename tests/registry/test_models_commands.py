import os
import pickle
import sys
import tracemalloc

import numpy as np
import pytest

from beholder.core.benchmark import Files
from beholder.errors import Misuse
from beholder.io import arrays, disparity
from beholder.registry.models import Command, model, models
from beholder.stereo.benchmarks.dense import show
from beholder.stereo.datasets.random_dots import random_dots
from texts import TEXTS, read_text, reading, write_text


def program(folder, text):
    """A command that runs this Python program with the folder and the file as its arguments."""
    path = folder / "my program.py"
    path.write_text(f"import pathlib, sys\nshown, out = map(pathlib.Path, sys.argv[1:])\n{text}\n", "utf-8")
    return f"{sys.executable} '{path}' {{in}} {{out}}"


@pytest.fixture
def _typing():
    """Someone types while the program runs."""
    reading, writing = os.pipe()
    os.write(writing, b"typed")
    os.close(writing)
    before = os.dup(0)
    os.dup2(reading, 0)
    yield
    os.dup2(before, 0)
    os.close(before)
    os.close(reading)


@pytest.mark.usefixtures("_typing")
def test_a_program_reads_a_folder_and_writes_a_file(tmp_path):
    command = program(tmp_path, "out.write_text((shown / 'stimulus.txt').read_text().upper() + sys.stdin.read())")
    found = models(f"cmd:{command}", reading())
    (name,) = found
    assert name.startswith("python")
    plug = pickle.loads(pickle.dumps(found[name]))
    assert plug.function(TEXTS)("see a") == "SEE A"  # and it does not get what is typed


def test_a_program_on_pictures(tmp_path):
    text = (
        "import numpy as np\nfrom PIL import Image\nleft = np.asarray(Image.open(shown / 'left.png'))\n"
        "np.save(out.with_suffix('.npy'), left.astype(np.float32))\n"
        "import os; os.rename(out.with_suffix('.npy'), out)"
    )
    files = Files((".npy",), disparity.read, disparity.write, show)
    pair = random_dots(1, size=64)[0].stimulus
    np.testing.assert_array_equal(Command(program(tmp_path, text), files)(pair), pair.left)


@pytest.mark.parametrize("writes", ["np.save(out, left)", "np.save(out.with_suffix(''), left)"])
def test_a_program_whose_library_chooses_the_ending(tmp_path, writes):
    # np.save writes out.npz.npy, and out.npy
    text = f"import numpy as np\nfrom PIL import Image\nleft = np.asarray(Image.open(shown / 'left.png'))\n{writes}"
    files = Files((".npz", ".npy"), arrays.load, disparity.write, show)
    pair = random_dots(1, size=64)[0].stimulus
    np.testing.assert_array_equal(Command(program(tmp_path, text), files)(pair), pair.left)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("print('one\\ntwo', file=sys.stderr); sys.exit(3)", "exited with code 3: two$"),
        ("sys.exit(3)", "exited with code 3$"),
        ("sys.stderr.buffer.write(b'\\xff bad'); sys.exit(1)", "exited with code 1: � bad$"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "exited with code -9"),
        ("pass", r"exited with code 0 but wrote no \{out\} file \(\.txt, \.md\)"),
        ("out.mkdir()", "wrote no"),
    ],
)
def test_a_program_that_fails(tmp_path, text, says):
    with pytest.raises((RuntimeError, FileNotFoundError), match=says):
        Command(program(tmp_path, text), TEXTS)("see a")


def test_a_program_that_cannot_be_started(tmp_path):
    with pytest.raises(RuntimeError, match="no_such_program cannot be started: No such file or directory"):
        Command("no_such_program {in} {out}", TEXTS)("see a")
    (tmp_path / "plain").write_text("no program")
    with pytest.raises(RuntimeError, match="cannot be started: Permission denied"):
        Command(f"{tmp_path}/plain {{in}} {{out}}", TEXTS)("see a")


def test_a_program_that_floods_its_standard_error(tmp_path):
    # 50 MB of it, of which the last line is kept and the rest never stays in memory
    text = "for _ in range(50): sys.stderr.write('x' * 2**20)\nsys.stderr.write('\\nenough'); sys.exit(1)"
    tracemalloc.start()
    try:
        with pytest.raises(RuntimeError, match=r"exited with code 1: enough$"):
            Command(program(tmp_path, text), TEXTS)("see a")
        assert tracemalloc.get_traced_memory()[1] < 2**20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("command", ["./match", "./match {in}", "./match {out}", ""])
def test_a_command_needs_a_place_to_read_and_one_to_write(command):
    with pytest.raises(Misuse, match=r"expected \{in\} and \{out\} in it"):
        models(f"cmd:{command}", reading())


def test_commands_that_make_no_sense():
    with pytest.raises(Misuse, match="No closing quotation; expected quotes to be closed"):
        models("cmd:'./match {in} {out}", reading())
    with pytest.raises(Misuse, match="no file format for answers"):
        models("cmd:./match {in} {out}", reading(files=None))
    with pytest.raises(Misuse, match="cannot write its stimuli to files; give a Python function"):
        models("cmd:./match {in} {out}", reading(files=Files((".txt",), read_text, write_text)))


def test_the_temporary_folder_of_a_command_goes_away(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "place"))
    (tmp_path / "place").mkdir()
    for text in ("out.write_text('x')", "sys.exit(1)"):
        command = Command(program(tmp_path, text), TEXTS)
        if "exit" in text:
            with pytest.raises(RuntimeError):
                command("see")
        else:
            assert command("see") == "x"
        assert list((tmp_path / "place").iterdir()) == []


def test_a_changed_script_is_another_command(tmp_path):
    first = model(f"cmd:{program(tmp_path, 'pass')}", reading())
    again = model(f"cmd:{program(tmp_path, 'pass')}", reading())
    assert first == again
    changed = model(f"cmd:{program(tmp_path, 'sys.exit(1)')}", reading())
    assert (changed.spec, changed.files == first.files) == (first.spec, False)
