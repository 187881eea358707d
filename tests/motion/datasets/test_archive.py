"""Datasets of perceived flow that are folders: what they say of wrong ones."""

import pytest

from beholder.errors import Misuse
from beholder.registry.load import dataset as dataset_from


@pytest.mark.parametrize("name", ["huperflow", "second_order", "sintel_slow", "perceived_flow_temporal"])
def test_wrong_folders_are_told_what_is_expected(tmp_path, name):
    with pytest.raises(Misuse, match=rf"got {tmp_path} without .*; expected the folder of"):
        dataset_from("motion.datasets", f"{name}:{tmp_path}")
    with pytest.raises(Misuse, match="which is not a folder; expected the folder of"):
        dataset_from("motion.datasets", f"{name}:{tmp_path / 'nowhere'}")
    with pytest.raises(Misuse, match="it needs a path"):
        dataset_from("motion.datasets", name)
