"""What Szeliski & Zabih (2000) say of self-consistency, beside what comes out here: a section of the claims page."""

from __future__ import annotations

from functools import partial

from beholder.claims.claim import markdown_table
from beholder.core.scores import whole
from beholder.evaluation.run import run
from beholder.stereo.benchmarks.consistency import consistency
from beholder.stereo.benchmarks.dense import dense
from beholder.stereo.datasets.planes import planes
from beholder.stereo.models.flat import flat

COUNT = 2  # generated scenes


def claims() -> str:
    """The section: whether a model can agree with itself and be wrong."""
    dataset, zero = planes(COUNT), {"zero everywhere": partial(flat, disparity=0)}
    tables = [run(bench, zero, jobs=0, repeats=1) for bench in (consistency(dataset), dense(dataset))]
    keys = ["measure", "criterion", "model"]
    apart, bad = (whole(table).groupby(keys)["value"].mean() for table in tables)
    rows = [
        [name, f"{apart['inconsistency', 'all', name]:.1f}", f"{bad['bad_pixels', 'all', name]:.1f}"]
        for name in ("truth", *dense(dataset).provided("baseline"), *zero)
    ]
    head = (
        "### Self-consistency\n\nSzeliski & Zabih (2000), as reported by Cabezas & Trujillo (2011): "
        "self-consistency is necessary for a right answer, but not sufficient. The table has the percentage of "
        "pixels on which the pairs of a scene contradict each other (`stereo/consistency`), and the percentage of "
        f"wrong pixels, on {COUNT} generated scenes:"
    )
    wrong = bad["bad_pixels", "all", "zero everywhere"]
    held = apart["inconsistency", "all", "zero everywhere"] == 0 and wrong > 0
    after = f"The claim {'holds' if held else 'fails'}: a map of zeros never contradicts itself."
    return "\n\n".join([head, markdown_table(["model", "inconsistency", "bad pixels"], rows), after])
