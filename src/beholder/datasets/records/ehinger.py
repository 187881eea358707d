"""Ehinger: searching for people in street scenes."""

from beholder.datasets.record import Record

ehinger = Record(
    name="ehinger",
    about="Where 14 people looked while they searched 912 street scenes for pedestrians.",
    size="14 × 912 (from memory)",
    licence="see its page",
    permits="Read the terms on its page.",
    loader="attention.datasets/ehinger",
    run="attention/scanpath",
    steps="Fetch the data set from the authors' page, and unpack it.",
)
