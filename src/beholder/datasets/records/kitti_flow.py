"""KITTI 2012 and 2015 optical flow."""

from beholder.datasets.record import Record

kitti_flow = Record(
    name="kitti_flow",
    about="Driving scenes with sparse flow from a laser scanner, and of fitted cars.",
    size="200 + 194 pairs with truth (from memory)",
    licence="CC BY-NC-SA 3.0",
    permits="Not for commercial use; pass on under the same terms, with credit.",
    loader="motion.datasets/flow",
    run="motion/flow",
    steps="Register on the KITTI page, fetch the scene flow set of 2015 (2 GB, from memory) or the stereo and flow set "
    "of 2012, and unpack it: the folder training holds image_2 (2012: colored_0 or image_0), flow_occ and flow_noc.",
    cite="Menze2015,Geiger2012",
)
