"""KITTI 2012 and 2015 stereo."""

from beholder.datasets.record import Record

kitti = Record(
    name="kitti",
    about="Driving scenes with disparity from a laser scanner.",
    size="200 + 194 pairs with truth (from memory)",
    licence="CC BY-NC-SA 3.0",
    permits="Not for commercial use; pass on under the same terms, with credit.",
    loader="stereo.datasets/kitti",
    run="stereo/dense",
    steps="Register on the KITTI page, fetch the stereo set, and unpack it.",
)
