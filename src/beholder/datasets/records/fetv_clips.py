"""FETV's example clips."""

from beholder.datasets.record import Folder, Record

fetv_clips = Record(
    name="fetv_clips",
    about="207 example clips of four generators and stock footage, rated in FETV.",
    size="207 clips",
    licence="CC BY 4.0; the clips in gt are stock footage",
    permits="Use, change and pass on with credit to the authors. Leave out the clips in gt: they are stock footage.",
    loader="video.datasets/fetv_clips",
    run="video/opinions",
    folders=(
        Folder(
            "llyx97/FETV",
            "127282c165754c801ddca5b65b1f96f70e2e79a3",
            "generated_video_examples",
            "a4ef4471ab706af922b41ea9b40a9fe43aa5b99f",
            207,
            176.6,
            "generated_video_examples",
        ),
    ),
)
