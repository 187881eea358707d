"""What Cabezas & Trujillo (2011) claim of stereo matchers, beside what comes out here: a section of the claims page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from beholder.claims.claim import markdown_table
from beholder.core.verdict import Verdict
from beholder.evaluation.run import run
from beholder.judges.pareto import Relation, pareto
from beholder.stats.ranks import Ties
from beholder.stereo.benchmarks.published import average_rank, published
from beholder.stereo.published import in_table, rows

if TYPE_CHECKING:
    import pandas as pd

# Why an algorithm may stand on another side than the paper puts it.
REASONS = {
    "GlobalGCP": "CoopRegion dominates it with one tie, at the two printed decimals of Tsukuba/nonocc; strong "
    "dominance, or unrounded numbers, would keep it in. But then it belongs in table 3 too, where the "
    "paper does not list it: one of the two tables treats the tie differently.",
    "AdaptingBP": "only ADCensus excludes it, and its numbers are of a later date than the paper's.",
    "Undr+OvrSeg": "as for AdaptingBP; a slip in the paper is also possible.",
    "LocallyConsist": "none of its numbers is known, so it cannot be tested. The paper prints 24,0 as its average rank "
    "at place 32, between 32,3 and 35,3: a misprint, presumably of 34,0.",
    "FastAggreg": "it has the lowest Tsukuba/nonocc of the local algorithms. Either the paper did not class it as "
    "local, or LocallyConsist dominates it.",
}


class Outcome(NamedTuple):
    """A set of the paper beside the one that comes out."""

    table: str
    relation: Relation
    claimed: list[str]
    found: Verdict

    @property
    def testable(self) -> list[str]:
        """Those claimed whose numbers are known."""
        return [name for name in self.claimed if name in self.found.standing.index]

    @property
    def kept(self) -> list[str]:
        """Those claimed that come out."""
        return [name for name in self.claimed if name in self.found.best]

    @property
    def missing(self) -> list[str]:
        """Those claimed that do not."""
        return [name for name in self.claimed if name not in self.found.best]

    @property
    def extra(self) -> list[str]:
        """Those that come out without being claimed."""
        return [name for name in self.found.best if name not in self.claimed]


def claims() -> str:
    """The section, from a run of stereo/published."""
    return section(run(published(), jobs=0))


def section(scores: pd.DataFrame) -> str:
    """Tables 1–4 of the paper beside what these scores give."""
    online = rows_of(scores, [name for name, row in rows().items() if row.online])
    sets = list(outcomes(online))
    parts = [_preface(), _order(online), _sets(sets), _readings(online), _side_by_side(online, sets), _verified(scores)]
    return "\n\n".join(parts)


def rows_of(scores: pd.DataFrame, models: Iterable[str]) -> pd.DataFrame:
    """The rows of some models."""
    return scores[scores["model"].isin(list(models))]


def outcomes(online: pd.DataFrame) -> Iterator[Outcome]:
    """The paper's tables 2, 3 and 4 under ordinary and strong dominance."""
    semi = online[online["criterion"] != "all"]
    local = rows_of(semi, [name for name, row in rows().items() if row.facts.get("family") == "local"])
    relations: tuple[Relation, ...] = ("pareto", "strong")
    for relation in relations:
        for table, scores in (("2", online), ("3", semi), ("4", local)):
            verdict = pareto(scores, over="units", relation=relation, missing="common", draws=0)
            yield Outcome(table, relation, in_table(table), verdict)


def inversions(online: pd.DataFrame, ties: Ties = "average") -> tuple[list[str], list[tuple[str, str]]]:
    """The algorithms that the paper ranks, in its order, and the pairs that the mean rank puts the other way round."""
    ranks = average_rank(online, ties=ties).standing["mean_rank"]
    printed = {name: float(row.facts["paper_avg_rank"]) for name, row in rows().items() if row.facts["paper_avg_rank"]}
    ordered = sorted((name for name in printed if name in ranks.index), key=printed.__getitem__)
    pairs = [(a, b) for at, a in enumerate(ordered) for b in ordered[at + 1 :] if ranks[a] > ranks[b]]
    return ordered, pairs


def readings(scores: pd.DataFrame) -> dict[str, set[str]]:
    """The undominated set under three readings of the error vector, by ordinary dominance."""
    whole = pareto(scores, over="units", missing="common", draws=0)
    complete = scores[~scores["model"].isin(scores.loc[scores["state"] == "na", "model"])]
    means = complete.assign(value=complete.groupby(["model", "criterion"])["value"].transform("mean"))
    one_unit = means[means["unit"] == means["unit"].iloc[0]]
    one_scene = [own for _, own in scores.groupby("unit", sort=False)]
    each = [pareto(own, over="units", missing="common", draws=0).best for own in one_scene]
    return {
        "numbers of all scenes, one after the other": set(whole.best),
        "means over the scenes": set(pareto(one_unit, over="units", draws=0).best),
        "union of the sets of each scene": set().union(*each),
    }


def remembered(names: Sequence[str]) -> str:
    """How many rows rest on memory.

    >>> remembered(["ADCensus", "RDP"])
    '1 of 2 rows from memory'
    """
    many = sum(rows()[name].status != "verified" for name in names)
    return f"{many} of {len(names)} row{'s' * (len(names) != 1)} from memory"


def _preface() -> str:
    every = rows().values()
    counts = {status: sum(row.status == status for row in every) for status in ("verified", "partial", "memory")}
    return (
        "### Pareto dominance on Middlebury's second table\n\nCabezas & Trujillo (2011) apply Pareto dominance to "
        f"the online table of 2011. That page is not available. Of the {len(every)} rows in `stereo/published`, "
        f"{counts['verified']} were read in papers; of {counts['partial']} only the nonocc numbers were; "
        f"{counts['memory']} are from memory, written down with the paper's lists already known. Agreement below "
        "supports our reading of the error vector (the numbers of all scenes and regions, concatenated); it does "
        "not reproduce the paper."
    )


def _order(online: pd.DataFrame) -> str:
    ordered, pairs = inversions(online)
    several = "; ".join(f"{a} before {b} in the paper, after it here" for a, b in pairs) or "none"
    judged = list(average_rank(online).standing.index)
    return (
        f"**Table 1, the order by average rank.** Among the {len(ordered)} algorithms that have an average rank in "
        f"the paper and known numbers, {len(pairs)} pairs come out in the opposite order ({several}). Ranks are "
        f"taken among {len(judged)} complete rows ({remembered(judged)}), so they differ from the printed ones; "
        "equal numbers share their mean rank. If they shared the lowest rank instead, "
        f"{len(inversions(online, 'min')[1])} pairs would."
    )


def _readings(online: pd.DataFrame) -> str:
    """How many of tables 2 and 3 come out under each reading."""
    dense, semi = readings(online), readings(online[online["criterion"] != "all"])
    lines = [
        [reading, _count(in_table("2"), dense[reading]), _count(in_table("3"), semi[reading])] for reading in dense
    ]
    first = "**Which reading of the error vector.** By ordinary dominance; an incomplete row has no mean:"
    return "\n\n".join([first, markdown_table(["reading of the error vector", "table 2", "table 3"], lines)])


def _count(claimed: Sequence[str], found: set[str]) -> str:
    return f"{len(found & set(claimed))} of {len(claimed)}, {len(found - set(claimed))} extra"


def _sets(sets: Sequence[Outcome]) -> str:
    head = ["paper", "relation", "come out", "missing", "extra", "members"]
    lines = [
        [
            f"table {one.table}",
            one.relation,
            _share(one),
            _names(one.missing),
            _names(one.extra),
            remembered(one.testable),
        ]
        for one in sets
    ]
    named_here = dict.fromkeys(name for one in sets for name in (*one.missing, *one.extra))
    reasons = [f"- {name}: {_why(name, sets)}" for name in named_here]
    after = (
        "Table 4 needs a list of local algorithms, but the paper lists only the undominated ones. Here the local "
        "algorithms are those and others whose method is known to be local, without CostFilter and P-LinearS, which "
        "would be undominated and are not in the paper's table. Rows that lack numbers are compared on the numbers "
        "known for both."
    )
    title = "**Tables 2 to 4, the undominated sets.**"
    return "\n\n".join([title, markdown_table(head, lines), after, "What differs:", "\n".join(reasons)])


def _share(one: Outcome) -> str:
    """How many of the claimed come out.

    What cannot be tested is said apart.
    """
    beyond = len(one.claimed) - len(one.testable)
    return f"{len(one.kept)} of {len(one.testable)}" + (f" testable, of {len(one.claimed)}" if beyond else "")


def _why(name: str, sets: Sequence[Outcome]) -> str:
    """By whom it is dominated where it is missing, and what may be the reason."""
    found = [
        f"table {one.table} ({one.relation}): dominated by {one.found.standing['dominated_by'][name]}"
        for one in sets
        if name in one.missing and name in one.testable
    ]
    return "; ".join([*found, REASONS.get(name, "")]).strip("; ")


def _side_by_side(online: pd.DataFrame, sets: Sequence[Outcome]) -> str:
    """Every algorithm of the paper's tables: its ranks, and in which sets it is claimed and comes out."""
    ranks = average_rank(online).standing["mean_rank"]
    title = [f"table {one.table}, {one.relation}" for one in sets]
    head = ["algorithm", "paper's rank", "paper's average", "mean rank here", *title, "status"]
    claimed = dict.fromkeys(name for one in sets for name in (*one.claimed, *one.extra))
    lines = []
    for name in sorted(set(claimed) | {n for n, row in rows().items() if row.facts["paper_rank"]}, key=_place):
        facts = rows()[name].facts
        mean = f"{ranks[name]:.1f}" if name in ranks.index else "—"
        cells = [facts["paper_name"], facts["paper_rank"] or "—", facts["paper_avg_rank"] or "—", mean]
        lines.append([*cells, *(_mark(name, one) for one in sets), facts["status"]])
    legend = (
        "● in the paper's set and in ours; ○ only in the paper's; + only in ours; · in neither; — not "
        "compared, or not known."
    )
    return "\n\n".join(["**Beside the average rank.**", legend, markdown_table(head, lines)])


def _place(name: str) -> tuple[float, str]:
    return float(rows()[name].facts["paper_rank"] or "inf"), name


def _mark(name: str, one: Outcome) -> str:
    if name not in one.found.standing.index:
        return "—"
    return {(True, True): "●", (True, False): "○", (False, True): "+", (False, False): "·"}[
        name in one.claimed, name in one.found.best
    ]


def _verified(scores: pd.DataFrame) -> str:
    """The layers of the rows that were read in papers."""
    names = [name for name, row in rows().items() if row.status == "verified"]
    verdict = pareto(rows_of(scores, names), over="units", draws=0)
    sizes = verdict.standing["layer"].value_counts().sort_index()
    return (
        f"**The {len(names)} verified rows alone** fall into {len(sizes)} layers of {', '.join(map(str, sizes))}; "
        f"the first is {', '.join(verdict.best)}. This uses nothing from memory; `--status verified` judges the same "
        "rows."
    )


def _names(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"
