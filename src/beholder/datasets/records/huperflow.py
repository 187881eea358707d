"""HuPerFlow: perceived flow in natural movies."""

from beholder.datasets.record import Folder, Record

huperflow = Record(
    name="huperflow",
    about="Motion that people perceived at probed points of natural movies, with frames of two of them.",
    size="16 × 2,400 probes",
    licence="Apache-2.0; the frames are KITTI's (CC BY-NC-SA 3.0, from memory)",
    permits="Use, change and pass on; keep notices, say what you changed. The frames: not for commercial use.",
    loader="motion.datasets/huperflow",
    run="motion/perceived_flow",
    folders=(
        Folder(
            "KUCognitiveInformaticsLab/Huperflow-Website",
            "b3871bc53834e005a45d323c5709ac8fe7ea2cbe",
            "human_response",
            "3342e716059bfdd8cf01ec94a8f22ea721ab7ae8",
            3,
            2.7,
            "human_response",
        ),
        Folder(
            "KUCognitiveInformaticsLab/Huperflow-Website",
            "b3871bc53834e005a45d323c5709ac8fe7ea2cbe",
            "Code_onlineexp_session001_English/csv",
            "d0f69c79758b749341ed090e724a5796b42c1a66",
            3,
            0.01,
            "csv",
        ),
        Folder(
            "KUCognitiveInformaticsLab/Huperflow-Website",
            "b3871bc53834e005a45d323c5709ac8fe7ea2cbe",
            "Code_onlineexp_session001_English/img/mov",
            "7cf60e90f7c49277b3ed3a0295576e73be46defc",
            30,
            23.6,
            "img/mov",
        ),
    ),
)
