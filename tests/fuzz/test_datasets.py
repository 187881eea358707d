"""A dataset of which one file is damaged is read, or refused in a sentence; so is a sample of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beholder.errors import Misuse
from beholder.registry.load import dataset
from damage import damaged, examples, within
from test_every_dataset import FOLDERS

pytestmark = pytest.mark.fuzz


def load(place, name, folder):
    """The dataset, and one of its samples, whose faults the runner makes a row."""
    with within(60):
        try:
            made = dataset(place, f"{name}:{folder}")
        except Misuse:
            return
        try:
            made[0]
        except (Misuse, ValueError):
            return


@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")  # of libraries, over what they gave up
@pytest.mark.parametrize("which", sorted(FOLDERS))
def test_a_dataset_with_a_damaged_file_is_read_or_refused(tmp_path, which):
    place, name = which.split("/")
    folder = FOLDERS[which](tmp_path)
    files = {file: file.read_bytes() for file in sorted(tmp_path.rglob("*")) if file.is_file()}

    @examples(1)
    @given(st.data())
    def holds(data):
        file = data.draw(st.sampled_from(list(files)))
        file.write_bytes(data.draw(damaged(files[file])))
        try:
            load(place, name, folder)
        finally:
            file.write_bytes(files[file])

    holds()
