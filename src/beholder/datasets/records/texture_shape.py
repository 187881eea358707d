"""Texture against shape: people and networks."""

from beholder.datasets.record import Folder, Record

texture_shape = Record(
    name="texture_shape",
    about="What people and networks saw in pictures whose texture and shape disagree.",
    size="10 × 160 a condition",
    licence="CC BY 4.0 names the stimuli; the tables are without terms",
    permits="Use, change and pass on with credit to the authors.",
    loader="study.datasets/texture_shape",
    run="study/opinions",
    folders=(
        Folder(
            "rgeirhos/texture-vs-shape",
            "ccd0c01d42c0a8a834e90ec141e7f24fa915dc23",
            "raw-data",
            "fce9a2086afd4b2d28b8c2d74b597495273c15d6",
            299,
            73.3,
            "raw-data",
        ),
    ),
)
