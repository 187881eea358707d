"""Perceived flow over time."""

from beholder.datasets.record import Folder, Record

perceived_flow_temporal = Record(
    name="perceived_flow_temporal",
    about="How the motion that people perceive develops over time.",
    size="4 × 200 probes",
    licence="none stated",
    permits="Research use; the authors state no terms, so ask them before you pass it on.",
    loader="motion.datasets/perceived_flow_temporal",
    run="motion/perceived_flow",
    folders=(
        Folder(
            "KUCognitiveInformaticsLab/PerceivedFlow_Temporal_Data",
            "a63b820a5b15982f885f6a38a6fe84a4854d23d9",
            "",
            "4437a2236e4fc2d4d1f9e7f0b4b5aeac77ec139c",
            6,
            0.2,
            "",
        ),
    ),
)
