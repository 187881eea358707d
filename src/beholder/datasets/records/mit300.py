"""MIT300: the closed test set of the MIT/Tübingen benchmark."""

from beholder.datasets.record import Record

mit300 = Record(
    name="mit300",
    about="300 pictures of the MIT/Tübingen benchmark; where people looked is kept secret, so nothing is scored here.",
    size="39 × 300 (from memory)",
    licence="see its page",
    permits="Read the terms on its page.",
    loader="",
    run="beholder run attention/saliency --dataset mit1003 --set preset=tuebingen, for the same measures",
    steps="Fetch the pictures from the page of the MIT/Tübingen saliency benchmark, and submit your maps there.",
    cite="Judd2012",
)
