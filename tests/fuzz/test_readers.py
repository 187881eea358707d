"""Arbitrary bytes: every reader reads them or refuses them by the file's name, soon and without a fault of its own.

HYPOTHESIS_PROFILE=deep ./do test -m fuzz tries a hundred times as many.
"""

import shutil

import pytest
from hypothesis import given

import archives
import readable
from beholder.datasets.record import Folder
from beholder.datasets.unpack import unpack
from beholder.errors import Misuse
from damage import damaged, examples, refuses_or_reads

pytestmark = pytest.mark.fuzz


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("damaged")


@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")  # of libraries, over what they gave up
@pytest.mark.parametrize("one", readable.FOUND, ids=repr)
def test_a_damaged_file_is_read_or_refused_by_its_name(place, one):
    folder = place / one.name.replace(".", "_")
    folder.mkdir(exist_ok=True)
    path = folder / one.name
    one.make(path)
    whole = path.read_bytes()
    one.read(path)  # as it was made it is fine: else nothing would be tried

    @examples(4)
    @given(damaged(whole))
    def holds(content):
        path.write_bytes(content)
        refuses_or_reads(one.read, path)

    holds()


def test_a_damaged_archive_of_a_dataset_writes_nothing_elsewhere(tmp_path):
    whole = archives.archive({"data/a.txt": b"a", "data/b/c.txt": b"c" * 99})
    file = tmp_path / "set.tar.gz"
    folder = Folder("owner/name", archives.COMMIT, "data", "0" * 40, 9, 1.0)

    @examples(20)
    @given(damaged(whole))
    def holds(content):
        file.write_bytes(content)
        shutil.rmtree(tmp_path / "root", ignore_errors=True)
        with pytest.raises(Misuse):  # the tree id is never the right one
            unpack(file, [folder], tmp_path / "root")
        assert {one.name for one in tmp_path.iterdir()} <= {"root", file.name}

    holds()
