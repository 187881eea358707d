"""A verdict in a notebook: its trust line, what it says, and the standing."""

from __future__ import annotations

from beholder.core.verdict import Verdict, scores_of
from beholder.reports._pieces import answer, frame, grid, note, paragraph
from beholder.reports._standing import standing_text


def verdict(of: Verdict) -> str:
    """The answer first, then the sentence of the judge and its table."""
    found, judged = standing_text(of), scores_of(of)
    mine = set() if judged is None else set(judged.loc[judged["role"] == "model", "model"])
    others = "; ".join(f"{other.method}: {other.headline}" for other in of.others)
    return frame(
        answer(of.trust),
        paragraph(of.says) if of.trust else answer(of.says),
        grid(found.header, found.rows, mine) if found.rows else "",
        note(" · ".join(filter(None, [f"judged by {of.method}", found.footnote]))),
        note(others),
    )
