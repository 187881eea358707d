"""Middlebury stereo."""

from beholder.datasets.record import Record

middlebury = Record(
    name="middlebury",
    about="Indoor scenes with dense disparity from structured light.",
    size="4 (version 2) to 33 scenes (from memory)",
    licence="see its page",
    permits="Read the terms on its page.",
    loader="stereo.datasets/middlebury",
    run="stereo/dense",
    steps="Fetch scenes from the Middlebury stereo page, and unpack them, one folder a scene.",
)
