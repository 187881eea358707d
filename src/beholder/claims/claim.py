"""A claim of a source beside what comes out here: how it is judged, and how it is laid out on the claims page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Claim(NamedTuple):
    """A statement of a source that can be tested, the evidence that the source gives, and what comes out here."""

    says: str
    source: str
    here: str
    holds: bool | None  # None: in part
    in_part: str = "holds in part"

    @property
    def verdict(self) -> str:
        """Whether the claim holds, in words."""
        return {True: "holds", False: "does not hold", None: self.in_part}[self.holds]

    @property
    def line(self) -> str:
        """The claim as a row of the table.

        >>> Claim("every model is above chance", "Figure 14", "all but one", holds=None).line
        '| every model is above chance | Figure 14 | all but one | holds in part |'
        """
        return _line(self.says, self.source, self.here, self.verdict)


def judge(every: bool, some: bool = False) -> bool | None:
    """Whether a claim holds: everywhere (True), somewhere (None) or nowhere (False).

    >>> judge(True), judge(False, True), judge(False)
    (True, None, False)
    """
    return True if every else None if some else False


def judge_all(signs: Sequence[bool]) -> bool | None:
    """Whether a claim holds that is made of several."""
    return judge(all(signs), any(signs))


def claims_table(claims: Iterable[Claim]) -> str:
    """A table with one row per claim."""
    head = [_line("claim", "source", "here", "verdict"), "|---|---|---|---|"]
    return "\n".join([*head, *(claim.line for claim in claims)])


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of any cells."""
    return "\n".join(_line(*row) for row in [head, ["---"] * len(head), *rows])


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"
