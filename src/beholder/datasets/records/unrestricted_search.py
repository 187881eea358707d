"""Unrestricted: visual search in natural pictures, with the stored answers of models."""

from beholder.datasets.record import Folder, Record

unrestricted_search = Record(
    name="unrestricted_search",
    about="Scanpaths of 15 people who search natural pictures, and stored answers of models.",
    size="15 × 234",
    licence="MIT (repository); pictures of mixed origin",
    permits="Use, change and pass on freely; keep the licence text. The pictures are other people's.",
    loader="attention.datasets/unrestricted_search",
    run="attention/scanpath",
    folders=(
        Folder(
            "NeuroLIAA/visions",
            "6eb5d8b1a202b7752c3096ecf274ff0e3dabeae3",
            "Datasets/Unrestricted",
            "011d86176018324882f57498d093a695cd71449d",
            495,
            53.4,
            "Datasets/Unrestricted",
        ),
        Folder(
            "NeuroLIAA/visions",
            "6eb5d8b1a202b7752c3096ecf274ff0e3dabeae3",
            "Results",
            "515fdcdf12421e0a6ca8a3aa17541c8804e6264e",
            84,
            13.5,
            "Results",
        ),
    ),
)
