"""Interiors: visual search in rooms, with the stored answers of four models."""

from beholder.datasets.record import Folder, Record

interiors_search = Record(
    name="interiors_search",
    about="Scanpaths of 57 people who search photographs of rooms, and stored answers of four models.",
    size="57 × 134",
    licence="MIT (repository); photographs of mixed origin",
    permits="Use, change and pass on freely; keep the licence text. The photographs are of mixed origin.",
    loader="attention.datasets/interiors_search",
    run="attention/scanpath",
    folders=(
        Folder(
            "NeuroLIAA/visions",
            "6eb5d8b1a202b7752c3096ecf274ff0e3dabeae3",
            "Datasets/Interiors",
            "080b56f0f153ab47c604f0e48061a1be12d9a3c6",
            394,
            55.5,
            "Datasets/Interiors",
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
