"""MCS: search for microwave ovens and clocks, with the stored answers of models."""

from beholder.datasets.record import Folder, Record

mcs_search = Record(
    name="mcs_search",
    about="Scanpaths of 30 people who search pictures of COCO for a microwave oven or a clock.",
    size="30 people",
    licence="MIT (repository); pictures of mixed origin",
    permits="Use, change and pass on freely; keep the licence text. The pictures are other people's.",
    loader="attention.datasets/mcs_search",
    run="attention/scanpath",
    folders=(
        Folder(
            "NeuroLIAA/visions",
            "6eb5d8b1a202b7752c3096ecf274ff0e3dabeae3",
            "Datasets/MCS",
            "e6504dd17221c86d5bbf6a656cd10a569e08547d",
            3420,
            180.8,
            "Datasets/MCS",
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
