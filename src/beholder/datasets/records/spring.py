"""Spring: optical flow in high detail."""

from beholder.datasets.record import Record

spring = Record(
    name="spring",
    about="An animated film in full HD with flow of sub-pixel detail, and maps of what is matched.",
    size="37 scenes with truth, about 5,000 pairs (from memory)",
    licence="CC BY 4.0",
    permits="Use, change and pass on, with credit.",
    loader="motion.datasets/flow",
    run="motion/flow",
    steps="Fetch the archives of the left frames, of the forward flow of the left camera and of the maps of the "
    "training set from the Spring page (tens of GB, from memory), and unpack them into one folder: train/SCENE holds "
    "frame_left, flow_FW_left and maps. Reading .flo5 needs the extra hdf5.",
    cite="Mehl2023",
)
