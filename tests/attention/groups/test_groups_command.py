"""`beholder groups`: the page's example, tables of either kind, datasets, and what is refused."""

import csv
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from beholder.attention.groups.reading import Wanted, read_groups
from beholder.cli import app
from beholder.errors import Misuse

PAGE = (Path(__file__).parents[3] / "docs" / "how-to" / "groups-compared.md").read_text("utf-8")
HEAD = "stimulus,observer,group,index,x,y,duration_ms"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def told(*words):
    done = CliRunner().invoke(app, ["groups", *words])
    assert done.exit_code == 0, done.output
    return done.output


def rows(group, count=4, stimuli=("p", "q"), seed=0):
    rng = np.random.default_rng([seed, len(group)])
    for who in range(count):
        for stimulus in stimuli:
            for at in range(6):
                x, y = rng.uniform(0, 100, 2)
                yield f"{stimulus},{group}{who},{group},{at},{x:.1f},{y:.1f},200"


def write(file, *several, head=HEAD):
    file.write_text("\n".join([head, *(line for lines in several for line in lines)]) + "\n")
    return str(file)


def test_the_example_of_the_page(here):
    (script,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (says,) = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
    command = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)[1].split()
    subprocess.run([sys.executable, "-c", script], cwd=here, check=True)
    assert told(*command[2:], "--out", "numbers.csv") == says + "\nnumbers.csv: the numbers\n"
    with (here / "numbers.csv").open(newline="") as file:
        found = {row["name"]: row for row in csv.DictReader(file)}
    assert float(found["saccade amplitude"]["corrected"]) < 0.05
    assert found["maps"]["observers_first"] == "5"


def test_two_tables_are_two_groups(here):
    one = write(here / "old.csv", rows("a"))
    two = write(here / "young.csv", rows("bb"))
    found = read_groups([one, two], Wanted(size=(100, 100)))
    assert (found.first[0], found.second[0]) == ("old", "young")
    joint = write(here / "all.csv", rows("a"), rows("bb"))
    assert read_groups([joint], Wanted(size=(100, 100))).seen.keys() == found.seen.keys()
    assert "on 2 stimuli" in told(one, two).lower()


def test_a_dataset_that_knows_groups():
    found = read_groups(["simulated(observers=6)"], Wanted())
    assert (found.first[0], found.second[0]) == ("roaming", "steady")
    assert "SIMULATED observers" in found.notes[0]


def test_too_few_observers_are_told_so(here):
    said = told(write(here / "f.csv", rows("a"), rows("bb")))
    assert "None could have been" in said
    assert "no corrected p can be below 0.1" in said
    assert "as far as fixations reach" in said


def test_other_names_of_columns_and_an_order_without_index(here):
    head = "image,subject,class,x,y"
    lines = [",".join(np.array(line.split(","))[[0, 1, 2, 4, 5]]) for line in [*rows("a"), *rows("bb")]]
    found = read_groups([write(here / "f.csv", lines, head=head)], Wanted(group="class", size=(100, 100)))
    assert len(found.observers) == 8
    assert len(found.seen["p"].paths["a0"]) == 6


def test_stimuli_of_one_group_alone_and_fixations_outside_are_left_out(here):
    file = write(here / "f.csv", rows("a"), rows("bb", stimuli=("q", "r")), ["q,a0,a,9,500,5,100"])
    found = read_groups([file], Wanted(size=(100, 100)))
    assert list(found.seen) == ["q"]
    assert "Left out: 2 of 3 stimuli" in found.notes[1]
    assert "Left out: 1 fixations outside" in found.notes[0]


@pytest.mark.parametrize(
    ("lines", "wanted", "sentence"),
    [
        (lambda: [*rows("a")], {}, "got the groups a; expected two"),
        (lambda: [*rows("a"), *rows("bb"), *rows("ccc")], {}, "choose with --between A,B"),
        (lambda: [*rows("a"), *rows("bb", count=1)], {}, "fewer than two observers in the group 'bb'"),
        (lambda: [*rows("a"), *rows("bb", stimuli=("r",))], {}, "no stimulus that both groups saw"),
        (lambda: [*rows("a"), "p,a0,bb,9,1,1,100"], {}, "not made for the same people under two conditions"),
        (lambda: [*rows("a"), *rows("bb"), "p,a0,a,0,1,1,100"], {}, "a fixation number twice"),
        (lambda: [*rows("a"), *rows("bb"), "p,,a,0,1,1,100"], {}, "got rows without stimulus, observer"),
        (lambda: [*rows("a"), "p,z,bb,0,left,1,100"], {}, "got text in the column x"),
        (lambda: [*rows("a"), *rows("bb")], {"group": "age"}, "expected group among them; name it with --group"),
    ],
)
def test_what_is_refused(here, lines, wanted, sentence):
    with pytest.raises(Misuse, match=sentence):
        read_groups([write(here / "f.csv", lines())], Wanted(size=(100, 100), **wanted))


def test_two_of_several_groups(here):
    file = write(here / "f.csv", rows("a"), rows("bb"), rows("ccc"))
    found = read_groups([file], Wanted(size=(100, 100), between=("ccc", "a")))
    assert (found.first[0], found.second[0]) == ("ccc", "a")
    with pytest.raises(Misuse, match="expected two to compare"):
        read_groups([file], Wanted(between=("a", "d")))


def test_arguments_that_are_none(here):
    with pytest.raises(Misuse, match="expected a table with groups, two tables, or a dataset"):
        read_groups(["a.csv", "b.csv", "c.csv"], Wanted())
    with pytest.raises(Misuse, match="which is not a file"):
        read_groups(["a.csv"], Wanted())
    read = write(here / "f.csv", rows("a"), rows("bb"))
    with pytest.raises(Misuse, match="scanpath measure 'dtw'"):
        CliRunner().invoke(app, ["groups", read, "--scanpaths", "dtw"], catch_exceptions=False)
