"""How what a recording does not say can be given: by options of `beholder gaze`, or by settings of the dataset."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    """What errors tell a reader to type; {} is what a column means."""

    column: str
    hertz: str
    unit: str
    scale: str
    screen: str


COMMAND = Options(
    column="--column {}=NAME",
    hertz="--hertz 250",
    unit="--time-unit s or us",
    scale="--px-per-deg 35, or --screen 1920x1080 --width-cm 53 --distance-cm 60",
    screen="--screen 1920x1080",
)
DATASET = Options(  # `check` takes --columns and --set, `run` --columns and brackets
    column="--columns {}=COLUMN",
    hertz="--set hertz=250 (in a run gaze(hertz=250))",
    unit="--set time=us or time=s (in a run gaze(time=us))",
    scale="--set px_per_deg=35 (in a run gaze(px_per_deg=35)), or screen=1920x1080, width_cm=53 and distance_cm=60",
    screen="screen=1920x1080",
)
