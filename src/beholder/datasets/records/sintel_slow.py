"""Slow Sintel: perceived flow, and seven families of models."""

from beholder.datasets.record import Folder, Record

sintel_slow = Record(
    name="sintel_slow",
    about="Motion that people perceived in slowed-down Sintel movies, with models' answers.",
    size="180 probes",
    licence="Apache-2.0",
    permits="Use, change and pass on; keep notices, say what you changed.",
    loader="motion.datasets/sintel_slow",
    run="motion/perceived_flow",
    folders=(
        Folder(
            "anoymized/multi-order-motion-model",
            "c5886559b20be313125db0e1ba96baf464eab342",
            "evaluate_human",
            "9f18b283ef1365e55e6e8d7347b8bdb415c5923f",
            11,
            0.2,
            "evaluate_human",
        ),
    ),
)
