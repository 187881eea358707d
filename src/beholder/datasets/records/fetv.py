"""FETV: people's ratings of generated video, and automatic scores."""

from beholder.datasets.record import Folder, Record

fetv = Record(
    name="fetv",
    about="Ratings of generated video by three people, with the scores of automatic measures.",
    size="3 × 619 prompts × 4 generators",
    licence="CC BY 4.0",
    permits="Use, change and pass on with credit to the authors.",
    loader="study.datasets/fetv",
    run="study/opinions",
    folders=(
        Folder(
            "llyx97/FETV-EVAL",
            "1385218bc92899e85aae0941888d8ddcf94bd65d",
            "manual_eval_results",
            "c597123928b47930fa579071d7a0652e9d80bdbc",
            15,
            1.2,
            "manual_eval_results",
        ),
        Folder(
            "llyx97/FETV-EVAL",
            "1385218bc92899e85aae0941888d8ddcf94bd65d",
            "auto_eval_results",
            "863e247b45f6c1e6a1fc9c12b59343545982f39a",
            377,
            0.4,
            "auto_eval_results",
        ),
        Folder(
            "llyx97/FETV-EVAL",
            "1385218bc92899e85aae0941888d8ddcf94bd65d",
            "datas",
            "aa9f79b75ae684f8590f04e833941300e7a9cfe6",
            3,
            1.5,
            "datas",
        ),
    ),
)
