"""A disk that is full: one sentence with the folder and the space, exit code 2, and the same command goes on."""

import re
import shutil
import subprocess
import sys

import pytest

SIZE = "8m"
MODEL = """
import os
import numpy as np
def fills(pair):
    if os.path.exists("fill"):
        with open("disk/filler", "ab", buffering=0) as file:
            for size in (1 << 16, 1 << 9, 1):
                try:
                    while file.write(bytes(size)): pass
                except OSError: pass
    return np.full(pair.left.shape[:2], 5.0)
"""
RUN = 'run stereo/dense --dataset "random_dots(count=3,size=64)" --jobs 1 --model my.py:fills --out disk/out'
# Where the space is gone → what is done before, the command that meets it, and what it was writing to.
PLACES = {
    "ledger": ("touch fill", f"{RUN} --samples 0", "disk/out"),
    "answers": ("touch fill", f"{RUN} --samples 0 --keep-answers", r"disk/out\S*"),
    "report": (f"beholder {RUN} --samples 0 -q; fill", "report disk/out --as html", "disk/out"),
    "from the first": ("mkdir -p disk/out; fill", f"{RUN} --samples 0", "disk/out"),
}
SHELL = f"""
set -u
mkdir -p disk && mount -t tmpfs -o size={SIZE} none disk || exit 77
beholder() {{ {sys.executable} -m beholder.cli "$@"; }}
fill() {{ touch disk/filler; cat /dev/zero >> disk/filler 2> /dev/null; }}
@BEFORE@
beholder @COMMAND@ > first.out 2> first.err; echo $? > first.code
rm -f fill disk/filler
beholder {RUN} --samples 0 -q > second.out 2> second.err; echo $? > second.code
cp disk/out/scores.csv .
"""


@pytest.fixture(scope="module")
def roomy(tmp_path_factory):
    """The scores of the same run with room enough."""
    place = tmp_path_factory.mktemp("roomy")
    (place / "my.py").write_text(MODEL)
    shell = f"{sys.executable} -m beholder.cli {RUN} --samples 0 -q"
    subprocess.run(["bash", "-c", shell], cwd=place, check=True, capture_output=True)
    return (place / "disk" / "out" / "scores.csv").read_bytes()


@pytest.mark.parametrize("where", PLACES)
def test_a_full_disk_is_a_sentence_and_loses_nothing(tmp_path, roomy, tell, where):
    before, command, folder = PLACES[where]
    if not shutil.which("unshare"):
        pytest.skip("there is no `unshare`, so no small disk can be made")
    (tmp_path / "my.py").write_text(MODEL)
    script = SHELL.replace("@BEFORE@", before).replace("@COMMAND@", command)
    done = subprocess.run(["unshare", "-rm", "bash", "-c", script], cwd=tmp_path, capture_output=True, check=False)
    if not (tmp_path / "first.code").exists():
        pytest.skip(f"no small disk can be made here: {done.stderr.decode()[-200:]}")
    said = (tmp_path / "first.err").read_text()
    assert (tmp_path / "first.code").read_text() == "2\n", said
    sentence = rf"beholder: no space left for {folder}(/report)? \(\d+\.\d MB free of 8\.4 MB\); free some"
    assert re.search(sentence, said), said
    assert "Traceback" not in said
    assert (tmp_path / "second.code").read_text() == "0\n", (tmp_path / "second.err").read_text()
    assert (tmp_path / "scores.csv").read_bytes() == roomy
    heard = re.search(sentence, said)[0].removeprefix("beholder: ")
    tell(
        f"a full disk (tmpfs of 8 MB), met when writing: {where}", f"exit code 2: “{heard} …”; resumed: the same table"
    )
