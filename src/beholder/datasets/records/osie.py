"""OSIE: pictures with several objects each."""

from beholder.datasets.record import Folder, Record

osie = Record(
    name="osie",
    about="Where 15 people looked in 700 pictures of several objects, 3 s each.",
    size="15 × 700",
    licence="MIT (repository)",
    permits="Use, change and pass on freely; keep the licence text.",
    loader="attention.datasets/osie",
    run="attention/saliency",
    folders=(
        Folder(
            "NUS-VIP/predicting-human-gaze-beyond-pixels",
            "4a467890fcb40a2fec04cdded552760942bac7a4",
            "data/eye",
            "7ba3f7c6a1de089f7f293d3d87812b06e8e097e9",
            1,
            1.1,
            "eye",
        ),
        Folder(
            "NUS-VIP/predicting-human-gaze-beyond-pixels",
            "4a467890fcb40a2fec04cdded552760942bac7a4",
            "data/stimuli",
            "11d3132b5a1c2328612877d3540f8a281f29ca2b",
            700,
            49.1,
            "stimuli",
        ),
    ),
)
