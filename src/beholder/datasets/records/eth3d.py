"""ETH3D two-view stereo."""

from beholder.datasets.record import Record

eth3d = Record(
    name="eth3d",
    about="Grey indoor and outdoor scenes with disparity from a laser scanner.",
    size="27 pairs with truth (from memory)",
    licence="CC BY-NC-SA 4.0",
    permits="Not for commercial use; pass on under the same terms, with credit.",
    loader="stereo.datasets/eth3d",
    run="stereo/dense",
    steps="Fetch the two-view training set and its ground truth from the ETH3D page, and unpack both into one folder.",
)
