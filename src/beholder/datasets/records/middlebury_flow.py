"""Middlebury optical flow."""

from beholder.datasets.record import Record

middlebury_flow = Record(
    name="middlebury_flow",
    about="Small scenes of slow motion with dense flow, measured by hidden texture or rendered.",
    size="8 pairs with truth (from memory)",
    licence="see its page",
    permits="Read the terms on its page.",
    loader="motion.datasets/flow",
    run="motion/flow",
    steps="Fetch other-color-twoframes (or other-data) and other-gt-flow from the Middlebury flow page, and unpack "
    "both into one folder.",
    cite="Baker2011",
)
