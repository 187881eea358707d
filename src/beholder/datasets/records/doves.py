"""DOVES: eye movements on van Hateren's photographs."""

from beholder.datasets.record import Record

doves = Record(
    name="doves",
    about="Where 29 people looked in 101 grey photographs.",
    size="29 × 101 (from memory)",
    licence="see its page",
    permits="Read the terms on its page.",
    loader="attention.datasets/doves",
    run="attention/saliency",
    steps="Fetch DOVES from the page of the authors' lab in Austin, and unpack it.",
)
