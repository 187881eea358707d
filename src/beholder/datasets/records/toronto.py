"""Toronto: Bruce and Tsotsos' pictures."""

from beholder.datasets.record import Record

toronto = Record(
    name="toronto",
    about="Where 20 people looked in 120 photographs.",
    size="20 × 120 (from memory)",
    licence="see its page",
    permits="Read the terms on its page.",
    loader="attention.datasets/toronto",
    run="attention/saliency",
    steps="Fetch the eye-tracking data from Neil Bruce's page, and unpack it.",
)
