"""Bluebirds: crowd workers' answers with the truth."""

from beholder.datasets.record import Folder, Record

bluebirds = Record(
    name="bluebirds",
    about="Yes or no answers of 39 crowd workers on 108 pictures of birds.",
    size="39 × 108",
    licence="Clear-BSD",
    permits="Use, change and pass on; keep the notice; no patents are granted.",
    loader="study.datasets/bluebirds",
    run="study/raters",
    folders=(
        Folder(
            "welinder/cubam",
            "fe5ba700f1adbb489c69af311558d64370d73d36",
            "demo/bluebirds",
            "a9fbe17b0337ed58af0948829617303f7e25db6d",
            2,
            0.1,
            "bluebirds",
        ),
    ),
)
