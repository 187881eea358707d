import pytest

import video_checkpoints


@pytest.fixture(scope="session")
def checkpoints(tmp_path_factory):
    """A folder of the four networks, tiny and random; made once for all tests of a worker."""
    pytest.importorskip("torch", reason="torch is not installed: ./do test-deep")
    pytest.importorskip("transformers", reason="transformers is not installed: ./do test-deep")
    return video_checkpoints.every(tmp_path_factory.mktemp("weights"))
