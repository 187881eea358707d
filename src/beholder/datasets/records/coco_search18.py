"""COCO-Search18, the part that ViSioNS packs, with the stored answers of models."""

from beholder.datasets.record import Folder, Record

coco_search18 = Record(
    name="coco_search18",
    about="A part of COCO-Search18: 10 people who search pictures of COCO for one of 18 kinds of things.",
    size="10 people",
    licence="MIT (repository); pictures of mixed origin",
    permits="Use, change and pass on freely; keep the licence text. The pictures are other people's.",
    loader="attention.datasets/coco_search18",
    run="attention/scanpath",
    folders=(
        Folder(
            "NeuroLIAA/visions",
            "6eb5d8b1a202b7752c3096ecf274ff0e3dabeae3",
            "Datasets/COCOSearch18",
            "e7aca703ff12718f3bf6133f8aebcc6c31ce9a1a",
            647,
            47.2,
            "Datasets/COCOSearch18",
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
