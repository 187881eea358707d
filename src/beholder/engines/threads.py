"""One thread for each process that does trials: cores are shared by workers, and sums are the same on any machine."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

# Two workers that both use all cores are slower than one, and sums on several threads may differ in the last bit.
SINGLE = dict.fromkeys(  # for a process that is to be started; libraries read these when they are loaded
    (
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "MKL_NUM_THREADS",
        "VECLIB_MAXIMUM_THREADS",
        "NUMEXPR_NUM_THREADS",
        "OPENCV_FOR_THREADS_NUM",
    ),
    "1",
)


@contextlib.contextmanager
def single_thread() -> Iterator[None]:
    """This process meanwhile, as far as its libraries are loaded; afterwards they use as many threads as before."""
    from threadpoolctl import threadpool_limits

    cv2 = sys.modules.get("cv2")  # has threads of its own; a model that loads it later finds all of them
    before = cv2.getNumThreads() if cv2 else 0
    with threadpool_limits(1):  # takes 1 ms, and a batch of trials 50 ms or more
        try:
            if cv2:
                cv2.setNumThreads(1)
            yield
        finally:
            if cv2:
                cv2.setNumThreads(before)
