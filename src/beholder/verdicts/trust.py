"""The trust line: who is best, and how far that can be relied on. One function, one sentence each, the answer first."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from beholder.core.measure import SETTLED, label
from beholder.core.sample import worst
from beholder.core.scores import JUDGED, whole
from beholder.core.verdict import Known, Verdict
from beholder.errors import listed
from beholder.verdicts.against_blind import LOST, against_blind
from beholder.verdicts.components import components
from beholder.verdicts.skill import skill
from beholder.verdicts.wording import cell, sentence

if TYPE_CHECKING:
    import pandas as pd

J = TypeVar("J", bound=Callable[..., Verdict])
SIMULATED = "Simulated people."  # at the end of a brief line; a page that has a badge for it leaves it out
NAMED = 4  # models, or measures, that a sentence names; it counts the others
PEOPLE = {  # kinds of people behind a dataset, and what is said of them
    "recorded": "real people, recorded",
    "published": "people's numbers are from publications",
    "remembered": "people's numbers are quoted from memory",
    "simulated": "simulated observers: this says nothing about people",
}
STATUS = {  # of people's numbers, where it is worse than the kind of people says
    "memory": "reference numbers are quoted from memory",
    "placeholder": "some reference numbers are placeholders: the published ones could not be read",
}


class Basis(NamedTuple):
    """What a verdict rests on."""

    units: int
    datasets: tuple[str, ...]
    known: Known = Known()
    status: str = ""  # the worst of the references that were used


class Trust(NamedTuple):
    """What is to be known of a verdict before anything else, sentence by sentence; empty where nothing is known."""

    answer: str  # who is best, or why nobody is called so
    blind: str  # whether it beats the blind models
    tuned: str  # whether a leading model was tuned on this kind of stimulus
    people: str  # how far it has come from the best blind model to people
    basis: str  # over how many units of what, and what kind of people
    judges: str  # whether the other judges agree
    best: tuple[str, ...] = ()  # who may be called best, or is not significantly worse; nobody where a blind model wins
    brief: str = ""  # all of it in 25 words at the most: for cards and for lists of many benchmarks
    agreed: bool = False  # whether all judges that tested anything name the same leading models

    def __str__(self) -> str:
        return " ".join(filter(None, self[:6]))


def trusted(judge: J) -> J:
    """A judge whose verdicts can say how far they are to be trusted: by the table that was judged, when it is asked."""

    @functools.wraps(judge)
    def give(scores: pd.DataFrame, **settings: object) -> Verdict:
        return judge(scores, **settings)._replace(trusting=functools.partial(trust_in, scores))

    return give  # type: ignore[return-value]


def trust_in(scores: pd.DataFrame, verdicts: Sequence[Verdict], known: Known) -> Trust:
    """The trust line of the first verdict on a table."""
    blind, people = against_blind(scores, known.right), skill(scores, known.right).table
    return trust(verdicts, blind, people, basis_of(scores, known))


def basis_of(scores: pd.DataFrame, known: Known) -> Basis:
    """The units on which models were compared, the datasets, and the worst status of what people are said to do."""
    judged = whole(scores[scores["role"].isin(JUDGED) & scores["state"].isin(SETTLED)])
    compared = components(scores).values.columns.to_frame(index=False)
    alone = compared.loc[compared["unit"] != "*", ["dataset", "unit"]]
    pooled = judged.loc[judged["lo"].notna(), "n"].tolist()  # samples behind what was measured over many
    units = max(len(alone.drop_duplicates()), int(max(pooled, default=0)))
    status = worst(sorted(set(judged["provenance"])))
    return Basis(units, tuple(map(str, scores["dataset"].unique())), known, status)


def trust(verdicts: Sequence[Verdict], blind: pd.DataFrame, skill: pd.DataFrame, basis: Basis) -> Trust:
    """The trust line of the first verdict.

    `blind` is the table of `against_blind`, `skill` that of `skill`. A model that is not ahead of every blind model on
    every judged measure is not called best.
    """
    first = verdicts[0]
    if not first.best:
        return Trust(sentence(first.finding), "", "", "", _basis(basis), "", brief="No model could be judged.")
    lost = blind[blind["model"].isin(first.best) & blind["outcome"].isin(LOST)]
    return Trust(
        _answer(first) if lost.empty else _nobody(first, blind, lost),
        _against(blind, first) if lost.empty else "",
        _tuned(first, basis.known),
        _on_the_way(skill, first, basis.known, called=lost.empty),
        _basis(basis),
        _agreed(verdicts) if len(first.standing) > 1 else "",
        first.leading if lost.empty and not first.untested else (),
        " ".join(filter(None, [_brief_answer(first, blind, lost), _brief_people(skill, first, basis.known)])),
        not any(_differences(verdicts)[1]),
    )


def _brief_answer(verdict: Verdict, blind: pd.DataFrame, lost: pd.DataFrame) -> str:
    """Who is best and whether that is more than a blind model reaches, in one short sentence."""
    leading, models = verdict.leading, len(verdict.standing)
    outcomes = blind[blind["model"].isin(leading)].groupby("model")["outcome"].agg(set)
    sure = all(found == {"better"} for found in outcomes)
    if not lost.empty:
        whom, do = _first_lost(lost, _variants(blind)), "does" if len(verdict.best) == 1 else "do"
        return f"No best model: {_leads(verdict.best, most=1)}, but {do} not beat {whom}."
    if models == 1:
        return f"{leading[0]} is the only model" + (", and beats the blind models." if sure and len(outcomes) else ".")
    if verdict.untested:
        return f"{_leads(verdict.best, most=2)} {models} models; too few units to test."
    if len(leading) == 1:
        beats = " and beats the blind models" if sure else ", but not clearly ahead of the blind models"
        return f"{leading[0]} is best of {models}{beats if len(outcomes) else ''}."
    if not len(outcomes):
        return f"No clear winner: {_leads(leading, most=2)} {models} models."
    all_ = "both" if models == 2 else f"all {models}"
    who = all_ if len(leading) == models else listed(leading, most=2)
    end = "beat the blind models" if sure else "cannot be told apart, and not all clearly beat the blind models"
    return f"No clear winner: {who} {end}."


def _leads(names: Sequence[str], most: int) -> str:
    """Names and what they do.

    >>> _leads(["a"], most=1), _leads(["a", "b"], most=1)
    ('a leads', 'a and 1 more lead')
    """
    return f"{listed(names, most=most)} lead{'s' * (len(names) == 1)}"


def _first_lost(lost: pd.DataFrame, variants: frozenset[str]) -> str:
    """The first blind model that the leaders are not ahead of, and on how many measures."""
    name = str(lost["blind"].iloc[0])
    cells = lost.loc[lost["blind"] == name, ["measure", "settings", "criterion"]].drop_duplicates()
    measure, settings, criterion = map(str, cells.iloc[0])
    only = cell(measure, settings if measure in variants else "", criterion)
    where = only if len(cells) == 1 else f"{len(cells)} measures"
    return f"the blind model {name} on {where}"


def _brief_people(skill: pd.DataFrame, verdict: Verdict, known: Known) -> str:
    """How far the leader has come to people, or that they are simulated."""
    if "simulated" in known.people:
        return SIMULATED
    share = skill.loc[skill["model"] == verdict.best[0], "skill"].dropna()
    if share.empty:
        return ""
    return f"{max(0.0, 100 * float(np.median(share))):.0f} % of the way from blind to people."


def _tuned(verdict: Verdict, known: Known) -> str:
    """Which leading models were tuned on stimuli of this kind, so that their lead may be theirs by tuning."""
    mine = [name for name in verdict.leading if name in known.tuned]
    if not mine:
        return ""
    on = listed(dict.fromkeys(name for model in mine for name in known.tuned[model]), most=NAMED)
    return f"{listed(mine, most=NAMED)} {'was' if len(mine) == 1 else 'were'} tuned on stimuli of this kind ({on})."


def _answer(verdict: Verdict) -> str:
    """Who is best, or who leads and is not told apart."""
    models, leading = len(verdict.standing), verdict.leading
    if models == 1:
        return f"{leading[0]} is the only model judged, so there is nothing to compare."
    if verdict.untested:
        return f"{_lead(verdict)} the {models} models; {verdict.untested}."
    if len(leading) == 1:
        return f"{leading[0]} is best of {models} models{verdict.how and f': {verdict.how}'}."
    if len(leading) == models:
        return f"No clear winner among {models} models."
    return f"No clear winner among {len(leading)} of {models} models: {listed(leading, most=NAMED)}."


def _lead(verdict: Verdict) -> str:
    return f"{listed(verdict.best, most=NAMED)} lead{'s' * (len(verdict.best) == 1)}"


def _nobody(verdict: Verdict, blind: pd.DataFrame, lost: pd.DataFrame) -> str:
    """That no model is called best, and because of which blind model on which measures."""
    keys = ["blind", "measure", "settings", "criterion"]
    cells = keys[1:]
    variants, ahead = _variants(blind), blind[~blind["outcome"].isin(LOST)]
    won = set(ahead[cells].itertuples(index=False, name=None))
    beaten = [tuple(key) for key in lost[keys].drop_duplicates().itertuples(index=False, name=None)]
    unbeaten = [key for key in beaten if key[1:] not in won]
    if unbeaten:
        return f"No model is ahead of {_by_blind(unbeaten, variants)}."
    who = list(dict.fromkeys(lost["model"]))
    named = "" if who == list(verdict.best) else f"{listed(who, most=NAMED)} "
    is_ = "is" if len(who) == 1 else "are"
    return f"No model is called best: {_lead(verdict)}, but {named}{is_} not ahead of {_by_blind(beaten, variants)}."


def _variants(blind: pd.DataFrame) -> frozenset[str]:
    """Measures that are there with several settings: only of these must a sentence name them."""
    several = blind.groupby("measure")["settings"].nunique()
    return frozenset(map(str, several.index[several > 1]))


def _by_blind(pairs: Sequence[tuple[str, str, str, str]], variants: frozenset[str]) -> str:
    """Blind models, and where nobody, or the leader, is ahead of them."""
    cells: dict[str, list[str]] = {}
    for blind, measure, settings, criterion in pairs:
        cells.setdefault(blind, []).append(cell(measure, settings if measure in variants else "", criterion))
    each = [f"the blind model {blind} on {listed(own, most=4)}" for blind, own in cells.items()]
    return listed(each, by=", or of ", most=3)


def _against(blind: pd.DataFrame, verdict: Verdict) -> str:
    """Which leading models beat the blind models, which are ahead but not significantly, and which are not."""
    outcomes = blind[blind["model"].isin(verdict.leading)].groupby("model")["outcome"].agg(set)
    if outcomes.empty:
        return "There is no blind model to compare with."
    named = [name for name in verdict.leading if name in outcomes.index]
    behind = [name for name in named if outcomes[name] & set(LOST)]
    clear = [name for name in named if outcomes[name] == {"better"}]
    unsure = [name for name in named if name not in (*behind, *clear)]
    if len(named) == 1 and unsure:
        who = "It" if len(verdict.leading) == 1 else named[0]
        return f"{who} is ahead of every blind model, but not significantly{_where_unsure(blind, named[0])}."
    all_ = "Both" if len(named) == 2 else f"All {len(named)}"
    if clear == named:
        return f"{'It beats' if len(named) == 1 else f'{all_} beat'} every blind model."
    if unsure == named:
        return f"{all_} are ahead of every blind model, but not significantly."
    told = [f"{_some(clear, 'beats', 'beat')} every blind model"] * bool(clear)
    told += [f"{_some(unsure, 'is', 'are')} ahead of every blind model, but not significantly"] * bool(unsure)
    told += [f"{_some(behind, 'is', 'are')} not ahead of every blind model"] * bool(behind)
    return f"{'; '.join(told)}."


def _where_unsure(blind: pd.DataFrame, model: str) -> str:
    """On which measures the only leader is not significantly ahead; nothing where it is so on all."""
    own = blind[blind["model"] == model]
    unsure, variants = own[own["outcome"] == "hardly"], _variants(blind)
    if len(unsure) == len(own):
        return ""
    pairs = unsure[["measure", "settings"]].itertuples(index=False, name=None)
    return f" on {listed(dict.fromkeys(label(m, s if m in variants else '') for m, s in pairs), most=NAMED)}"


def _some(names: Sequence[str], one: str, several: str) -> str:
    return f"{listed(names, most=NAMED)} {one if len(names) == 1 else several}"


def _on_the_way(skill: pd.DataFrame, verdict: Verdict, known: Known, *, called: bool) -> str:
    """How far the leader has come from the best blind model to people: the median over measures."""
    leader = verdict.best[0]
    own = skill.loc[skill["model"] == leader, "skill"]
    share = own.dropna()
    if own.empty or "simulated" in known.people:
        return ""
    if share.empty:
        so = "so progress towards people cannot be measured"
        return f"People are not significantly better than the blind models here, {so}."
    who = ("It" if len(verdict.leading) == 1 else leader) if called else f"The leader, {leader},"
    of = f"{len(share)} of {len(own)} measures, where people beat the blind models"
    over = f" (median of {of if len(share) < len(own) else f'{len(own)} measures'})" if len(own) > 1 else ""
    if np.median(share) <= 0:
        return f"{who} is no closer to people than the best blind model{over}."
    return f"{who} comes {100 * float(np.median(share)):.0f} % of the way from the best blind model to people{over}."


def _basis(basis: Basis) -> str:
    """Over how many units of what datasets, and what kind of people."""
    units = f"{basis.units} unit{'s' * (basis.units != 1)}" if basis.units else "all"
    kinds = [PEOPLE[kind] for kind in basis.known.people if kind in PEOPLE]
    kinds = [STATUS[basis.status]] if basis.status in STATUS and "simulated" not in basis.known.people else kinds
    return sentence("; ".join([f"Judged on {units} of {listed(basis.datasets)}", *kinds]))


def _agreed(verdicts: Sequence[Verdict]) -> str:
    """Whether all judges name the same leading models; if not, in whom they differ. One that tested nothing is none."""
    first, others = _differences(verdicts)
    if not others:
        return ""
    if not any(others):
        return "Both judges agree." if len(others) == 1 else f"All {len(others) + 1} judges agree."
    return f"The judges differ: unlike {first.method}, {'; '.join(filter(None, others))}."


def _differences(verdicts: Sequence[Verdict]) -> tuple[Verdict, list[str]]:
    """The first verdict that tested anything, and in whom each of the others differs; an empty text where it agrees."""
    first, *others = [verdict for verdict in verdicts if verdict.best and not verdict.untested] or verdicts[:1]
    return first, [_differs(first, other) for other in others]


def _differs(first: Verdict, other: Verdict) -> str:
    """In which leading models a judge differs from the first; nothing where it does not."""
    more = [name for name in other.leading if name not in first.leading]
    fewer = [name for name in first.leading if name not in other.leading]
    told = [f"does not rule out {listed(more, most=NAMED)}"] * bool(more)
    told += [f"rules out {listed(fewer, most=NAMED)}"] * bool(fewer)
    return f"{other.method} {' and '.join(told)}" if told else ""
