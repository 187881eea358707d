"""Kootstra: symmetry in natural scenes."""

from beholder.datasets.record import Record

kootstra = Record(
    name="kootstra",
    about="Where 31 people looked in 100 photographs.",
    size="31 × 100 (from memory)",
    licence="see its page",
    permits="Read the terms on its page.",
    loader="attention.datasets/kootstra",
    run="attention/saliency",
    steps="Fetch the data set from the authors' page, and unpack it.",
)
