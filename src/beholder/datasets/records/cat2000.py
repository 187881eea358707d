"""CAT2000: twenty kinds of pictures."""

from beholder.datasets.record import Record

cat2000 = Record(
    name="cat2000",
    about="Where people looked in 2,000 pictures of twenty kinds (fixations are public for the training half).",
    size="24 × 2,000 (18 a picture) (from memory)",
    licence="see its page",
    permits="Read the terms on its page.",
    loader="attention.datasets/cat2000",
    run="attention/saliency",
    steps="Ask for the training set on the page of the MIT/Tübingen saliency benchmark, and unpack it.",
)
