"""TC-Bench: ratings and automatic scores."""

from beholder.datasets.record import Folder, Record

tcbench = Record(
    name="tcbench",
    about="Ratings of generated video by three people on two questions, with automatic scores.",
    size="3 × 952 clips",
    licence="MIT",
    permits="Use, change and pass on freely; keep the licence text.",
    loader="study.datasets/tcbench",
    run="study/opinions",
    folders=(
        Folder(
            "weixi-feng/TC-Bench",
            "56008f57f213e9b701554f538948a828020b9621",
            "eval_results",
            "9e4988c3de54d626950d79b48c668fccf99c0c7f",
            46,
            15.1,
            "eval_results",
        ),
    ),
)
