"""SALICON: mouse-contingent viewing of COCO pictures."""

from beholder.datasets.record import Record

salicon = Record(
    name="salicon",
    about="Where people moved the mouse to see clearly in 20,000 COCO pictures.",
    size="about 60 × 20,000 (from memory)",
    licence="see its page; the pictures are COCO's",
    permits="Read the terms on its page.",
    loader="attention.datasets/salicon",
    run="attention/saliency",
    steps="Fetch the fixations and the pictures from the page of SALICON's challenge, and unpack them side by side.",
)
