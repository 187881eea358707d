"""Coutrot: eye movements on films with sound."""

from beholder.datasets.record import Record

coutrot = Record(
    name="coutrot",
    about="Where people looked in short films with and without their sound.",
    size="not known here",
    licence="see its page",
    permits="Read the terms on its page.",
    loader="attention.datasets/coutrot",
    run="attention/scanpath",
    steps="Fetch the data base from Antoine Coutrot's page, and unpack it.",
)
