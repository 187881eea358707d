"""Andersson's raw gaze with two coders' events."""

from beholder.datasets.record import Folder, Record

andersson_gaze = Record(
    name="andersson_gaze",
    about="Raw gaze at 500 Hz on pictures, moving dots and films, labelled by two coders.",
    size="gaze labelled by 2 coders",
    licence="GPL-3.0",
    permits="Use, change and pass on under the same licence.",
    loader="",
    run="beholder gaze",
    folders=(
        Folder(
            "richardandersson/EyeMovementDetectorEvaluation",
            "3e12416ab3fd6254c81811cf03f8e5d67c5d7129",
            "annotated_data",
            "749c78bcf33e311bcfef5e5a1e7eb587d6d8735a",
            168,
            9.7,
            "annotated_data",
        ),
        Folder(
            "richardandersson/EyeMovementDetectorEvaluation",
            "3e12416ab3fd6254c81811cf03f8e5d67c5d7129",
            "Stimuli",
            "7dfeca279e40b4b5a0dbdd3b63e2f07020152988",
            9,
            10.9,
            "Stimuli",
        ),
    ),
)
