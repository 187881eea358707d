"""Second-order motion: people and models."""

from beholder.datasets.record import Folder, Record

second_order = Record(
    name="second_order",
    about="Directions that people saw in first- and second-order motion, with models' answers.",
    size="3 × 280 movies",
    licence="Apache-2.0",
    permits="Use, change and pass on; keep notices, say what you changed.",
    loader="motion.datasets/second_order",
    run="motion/perceived_flow",
    folders=(
        Folder(
            "anoymized/multi-order-motion-model",
            "c5886559b20be313125db0e1ba96baf464eab342",
            "second-order-exp",
            "af388729cc6ddee7bfd36a37603714ab105d5199",
            44,
            2.7,
            "second-order-exp",
        ),
    ),
)
