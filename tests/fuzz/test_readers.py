"""Arbitrary bytes: every reader reads them or refuses them by the file's name, soon and without a fault of its own.

HYPOTHESIS_PROFILE=deep ./do test -m fuzz tries sixty times as many.
"""

import io
import tarfile

import pytest
from hypothesis import given

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

    @examples(8)
    @given(damaged(whole))
    def holds(content):
        path.write_bytes(content)
        refuses_or_reads(one.read, path)

    holds()
