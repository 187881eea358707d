"""COCO-Search18 and COCO-FreeView."""

from beholder.datasets.record import Record

coco = Record(
    name="coco",
    about="Where 10 people looked in COCO pictures, searching for one of 18 kinds of things or viewing freely.",
    size="10 × 6,202 (from memory)",
    licence="see its page; the pictures are COCO's",
    permits="Read the terms on its page.",
    loader="attention.datasets/coco",
    run="attention/scanpath",
    steps="Fetch the fixations (JSON) and the pictures from the page of COCO-Search18, and put them into one folder.",
)
