"""EyeCrowd: pictures of crowds."""

from beholder.datasets.record import Folder, Record

eyecrowd = Record(
    name="eyecrowd",
    about="Where 16 people looked in 500 pictures of crowds, 5 s each.",
    size="16 × 500",
    licence="MIT (repository); the photographs are from the web",
    permits="Use, change and pass on freely; keep the licence text. The photographs are other people's.",
    loader="attention.datasets/eyecrowd",
    run="attention/saliency",
    folders=(
        Folder(
            "NUS-VIP/saliency-in-crowd",
            "8bb0416ee9942346f0a990f87a1325742fe3293f",
            "data/eye",
            "32ecea29df42241baa8f0da5e4a83ec7ec1f3634",
            1,
            1.3,
            "eye",
        ),
        Folder(
            "NUS-VIP/saliency-in-crowd",
            "8bb0416ee9942346f0a990f87a1325742fe3293f",
            "data/stimuli",
            "d3cd6efa1dbfe5a3967064c59732d50d525d03db",
            500,
            177.6,
            "stimuli",
        ),
    ),
)
