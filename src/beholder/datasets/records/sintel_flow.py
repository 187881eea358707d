"""MPI-Sintel optical flow."""

from beholder.datasets.record import Record

sintel_flow = Record(
    name="sintel_flow",
    about="An animated film with the flow of its renderer, occlusions, and frames without and with blur and fog.",
    size="23 scenes, 1,041 pairs with truth (from memory)",
    licence="CC BY 3.0 (the film); see its page",
    permits="Use, change and pass on with credit to the film; read the terms on its page.",
    loader="motion.datasets/flow",
    run="motion/flow",
    steps="Fetch the complete archive (5.6 GB, from memory) from the MPI-Sintel page, and unpack it: the folder "
    "training holds clean, final, flow, occlusions and invalid. flow(render=clean):PATH takes the clean frames.",
    cite="Butler2012",
)
