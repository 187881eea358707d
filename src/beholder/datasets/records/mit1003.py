"""MIT1003, as the NUS group packs it."""

from beholder.datasets.record import Folder, Record

mit1003 = Record(
    name="mit1003",
    about="Where 15 people looked in 1,003 photographs, 3 s each.",
    size="15 × 1,003",
    licence="none stated; offered for research by MIT",
    permits="Research use; the authors state no terms, so ask them before you pass it on.",
    loader="attention.datasets/mit1003",
    run="attention/saliency",
    folders=(
        Folder(
            "NUS-VIP/ksvd-saliency",
            "32732fed96959c053b802e46433e58eef00535f6",
            "data/mit",
            "2f05b7e13d54f01a141e2a5e664a254854fe2fc1",
            1004,
            119.7,
            "",
        ),
    ),
)
