"""What measures of motion read: one velocity per instant, or rates of rotation and expansion, whatever was answered."""

from beholder.motion.readouts.courses import LAST, STILL, errors, final_direction, plant, wrapped
from beholder.motion.readouts.optic_flow import OpticFlow, affine, optic_flow
from beholder.motion.readouts.populations import rates, trace_of_mt, trace_of_v1
from beholder.motion.readouts.traces import sketch, support, trace, trace_of_all, trace_of_mode, trace_of_moving

__all__ = [
    "LAST",
    "STILL",
    "OpticFlow",
    "affine",
    "errors",
    "final_direction",
    "optic_flow",
    "plant",
    "rates",
    "sketch",
    "support",
    "trace",
    "trace_of_all",
    "trace_of_mode",
    "trace_of_moving",
    "trace_of_mt",
    "trace_of_v1",
    "wrapped",
]
