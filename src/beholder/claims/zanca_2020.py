"""What Zanca et al. (2020) claim of scanpaths, beside what comes out here: a section of the claims page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from beholder.attention.types import Floats
from beholder.claims.claim import Claim, claims_table, judge_all, markdown_table
from beholder.claims.local_data import ABSENT
from beholder.claims.maps_and_paths import REPEATS, MapsAndPaths, run_maps_and_paths
from beholder.claims.recordings import Mean, mean, recordings, table
from beholder.claims.zanca_figure_2 import figure_two
from beholder.claims.zanca_table_1 import Row, joined, markdown, part_of, supervised
from beholder.core.scores import JUDGED as JUDGED_ROLES
from beholder.core.scores import labels

if TYPE_CHECKING:
    import pandas as pd

DATASET = "mit1003"


class Quoted(NamedTuple):
    """A row of the paper's Tables 1 and 3."""

    supervised: str
    auc: float
    nss: float
    string_edit: float
    stde: float
    kl: float


# The paper's Table 1 (maps: CAT2000; paths: 1234 pictures of MIT1003, SIENA12, TORONTO and KOOTSTRA) and Table 3.
TABLES = {
    "Gravitational model": Quoted("no", 0.84, 1.57, 7.34, 0.81, 0.27),
    "Eymol": Quoted("no", 0.83, 1.78, 7.94, 0.74, 0.46),
    "SAM": Quoted("yes", 0.88, 2.38, 8.02, 0.77, 1.07),
    "Deep Gaze II": Quoted("yes", 0.77, 1.16, 8.17, 0.72, 1.44),
    "Itti": Quoted("no", 0.77, 1.06, 8.15, 0.70, 2.11),
}
GRAVITY = ("geymol", "gravity")  # the released program, and the equations with constants of ours
MECHANICS = (*GRAVITY, "eymol")  # the paper's models of dynamics
WALKERS = ("wta_argmax", "wta_lif")
ORDERED = "shuffled_in_time"  # a blind model that knows where people look, and not when
JUDGED = {"string_edit": "lower", "stde(norm=k)": "higher", "stde(norm=rms)": "higher"}
KL = "amplitude_divergence(excess=False)"  # as papers print it: nothing is subtracted
CHANCE, SACCADES = f"{KL}.by_chance", f"{KL}.n"
DIRECTIONS = {KL: "KL(people‖model)", f"{KL}.kl_model_people": "KL(model‖people)"}
NEEDED = f"{ABSENT} It needs {DATASET}_subset below BEHOLDER_DATA."

HEAD = (
    "### Scanpaths: where, when and how\n\n"
    "Zanca et al. (2020) score five models as maps and as scanpaths. Their numbers:"
)
LACKING = (
    "Orders can be compared with the paper, values cannot. The maps of SAM and Deep Gaze II are not available (give "
    "them as folders: `wta_argmax(of='dir:maps', on='mit1003:PATH')`), nor are CAT2000's pictures and the scanpaths "
    "of TORONTO and KOOTSTRA, so neither the 1234 pictures nor their numbers can be reproduced. The paper does not "
    "give the constants of its model, the length of its scanpaths, the grid of the string edit, or the bins and "
    "direction of its divergence; and the public code's STDE gives 0.84 for Itti where the paper has 0.70. Its "
    "Table 2 is from a study with people, which has its own section."
)
READING = (
    "The paper does not state the direction of its KL, so both are shown. Its section 3 names people first: "
    "KL(people‖model), which penalises most what a model never does. The caption of its Table 3 has the divergence "
    "*of* the models' distribution *to* people's: KL(model‖people), which penalises most what people never do. One "
    "is added to every bin of 1 degree. Each person is compared with all others, one scanpath per picture, as is "
    "each repeat of a model. In either direction a model that makes few saccades is far from people by chance "
    "alone. The column *by chance* therefore gives the mean KL(people‖model) of as many draws from people's own "
    "amplitudes."
)


def claims() -> str:
    """The section: the paper's tables, ours in their layout, and its claims one by one."""
    dataset = recordings().get(DATASET)
    if dataset is None:
        return "\n\n".join([HEAD, quoted(), LACKING, NEEDED, claims_table([figure_two()])])
    found = run_maps_and_paths(dataset)
    rows = joined(found.maps, found.paths)
    every = [
        gravity_has_best_paths(found),
        gravity_has_closest_amplitudes(found),
        order_of_divergences(rows),
        mechanics_beat_maps(found),
        supervised_are_maps(found),
        saccades_are_short(found),
        gravity_beats_the_blind(found),
        figure_two(),
    ]
    text = [about(found, len(dataset)), markdown(rows), READING, claims_table(every), sized(found.paths), after(found)]
    return "\n\n".join([HEAD, quoted(), LACKING, *text])


def quoted() -> str:
    """The paper's Tables 1 and 3, as they stand there."""
    head = ["model (paper)", "supervised", "AUC", "NSS", "String-Edit", "STDE", "KL, amplitudes (Table 3)"]
    lines = [[name, row.supervised, *(f"{value:.2f}" for value in row[1:])] for name, row in TABLES.items()]
    return markdown_table(head, lines)


def about(found: MapsAndPaths, pictures: int) -> str:
    """What the table here was measured on."""
    return (
        f"Ours, in the layout of the paper's Table 1, on {pictures} pictures of {DATASET} with 15 observers each. "
        f"Scanpath models look for {found.viewing.seconds:g} s, {REPEATS} times per picture; their map is made of "
        "ten scanpaths, blurred by one degree. Map models make scanpaths by winner-take-all, with "
        f"{found.viewing.fixations} fixations, as many as people make. `geymol` is the authors' released program, "
        "`gravity` the paper's equations with our constants; both represent its gravitational model. Brackets: 95 % "
        "intervals over pictures."
    )


def values(scores: pd.DataFrame, measure: str, models: Sequence[str]) -> Mapping[str, Floats]:
    """A measure of some models, picture by picture."""
    frame = table(scores, measure)
    return {name: frame[name].to_numpy() for name in models if name in frame}


def models_of(scores: pd.DataFrame) -> list[str]:
    """The models of a run."""
    return list(dict.fromkeys(scores.loc[scores["role"].isin(JUDGED_ROLES), "model"]))


def ahead(scores: pd.DataFrame, measure: str, pair: tuple[str, str]) -> Mean:
    """By how much the first of two models is better than the second, the mean over pictures."""
    one, other = values(scores, measure, pair).values()
    sign = -1.0 if JUDGED.get(measure, "higher") == "lower" else 1.0
    return mean(sign * (one - other))


def beaten(scores: pd.DataFrame, model: str, rivals: Sequence[str]) -> dict[str, int]:
    """How many rivals a model is better than beyond 95 %, by string edit and by STDE in both norms."""
    return {of: sum(ahead(scores, of, (model, rival)).positive for rival in rivals) for of in JUDGED}


def gravity_has_best_paths(found: MapsAndPaths) -> Claim:
    """The gravitational model has the best scanpaths, by string edit and STDE."""
    rivals = [name for name in models_of(found.paths) if name not in GRAVITY and _in_the_paper(name)]
    told, signs = [], []
    for name in GRAVITY:
        won = beaten(found.paths, name, rivals)
        signs += [count == len(rivals) for count in won.values()]
        told.append(f"{name}: {', '.join(f'{of} {count} of {len(rivals)}' for of, count in won.items())}")
    says = "gravitational models have the best scanpaths (string edit, STDE)"
    ours = f"better beyond 95 % than Eymol, and than Itti and a learnt map by winner-take-all: {'; '.join(told)}"
    return Claim(says, "7.34 and 0.81, the others 7.94 … 8.17 and 0.70 … 0.77", ours, judge_all(signs))


def _in_the_paper(name: str) -> bool:
    """Whether a model stands for one of the paper's: Eymol, Itti, or a supervised map."""
    of = part_of(name)
    return of.model == "eymol" or (of.way in WALKERS and (of.model == "itti" or supervised(of.model) == "yes"))


def divergences(scores: pd.DataFrame, measure: str, *, roles: Sequence[str] = JUDGED_ROLES) -> Mapping[str, float]:
    """The divergence of amplitudes, or a part of it, of each model, averaged over its repeats."""
    own = scores[(labels(scores) == measure) & (scores["criterion"] == "all") & scores["role"].isin(list(roles))]
    return {str(name): float(part.mean()) for name, part in own.groupby("model", sort=False)["value"]}


def sized(scores: pd.DataFrame) -> str:
    """What of the divergences of amplitudes is only the number of saccades, of the paper's models and of people."""
    columns = [KL, CHANCE, SACCADES]
    every = [{**divergences(scores, of), **divergences(scores, of, roles=("ceiling",))} for of in columns]
    told = [
        f"{name} {kl:.2f}, by chance {chance:.2f} ({n:.0f} saccades)"
        for name, (kl, chance, n) in ((name, [of[name] for of in every]) for name in (*MECHANICS, "people"))
    ]
    return (
        f"How much of KL(people‖model) is due to the number of saccades alone: {'; '.join(told)}. Only what exceeds "
        "this is due to the model, so smaller differences between models with different numbers of saccades mean "
        "nothing."
    )


def gravity_has_closest_amplitudes(found: MapsAndPaths) -> Claim:
    """The amplitudes of the gravitational model are the closest to people's."""
    told, signs = [], []
    for measure, title in DIRECTIONS.items():
        every = divergences(found.paths, measure)
        rivals = {name: kl for name, kl in every.items() if _in_the_paper(name)}
        signs += [every[name] < min(rivals.values()) for name in GRAVITY]
        chance = divergences(found.paths, CHANCE) if measure == KL else {}
        own = ", ".join(f"{name} {every[name]:.2f}{_of(chance, name)}" for name in GRAVITY)
        nearest = min(rivals, key=rivals.__getitem__)
        least = min(every, key=every.__getitem__)
        told.append(
            f"{title}: {own}; best of the paper's others {nearest} {rivals[nearest]:.2f}{_of(chance, nearest)}, "
            f"of all here {least} {every[least]:.2f}{_of(chance, least)}"
        )
    says = "saccade amplitudes of gravitational models are the closest to people's"
    return Claim(says, "KL 0.27, the others 0.46 … 2.11", "; ".join(told), judge_all(signs))


def _of(chance: Mapping[str, float], name: str) -> str:
    """What chance alone would give, where that is known."""
    return f" (by chance {chance[name]:.2f})" if name in chance else ""


def order_of_divergences(rows: Sequence[Row]) -> Claim:
    """The order of Table 3."""
    told, signs = [], []
    for title in DIRECTIONS.values():
        kl = {(row.model, row.way): row.cells[title].value for row in rows if title in row.cells}
        own = {name: kl[name, ""] for name in MECHANICS} | {f"itti by {way}": kl["itti", way] for way in WALKERS}
        ranked = sorted(own, key=own.__getitem__)
        signs += [own[name] < own["eymol"] for name in GRAVITY]
        signs += [own[name] < min(own[f"itti by {way}"] for way in WALKERS) for name in MECHANICS]
        told.append(f"{title}: {' < '.join(f'{name} {own[name]:.2f}' for name in ranked)}")
    says = "order of Table 3 (SAM and Deep Gaze II are not here)"
    return Claim(says, "gravitational 0.27 < Eymol 0.46 < Itti 2.11", "; ".join(told), judge_all(signs))


def mechanics_beat_maps(found: MapsAndPaths) -> Claim:
    """Models of dynamics beat maps with winner-take-all."""
    walkers = [name for name in models_of(found.paths) if part_of(name).way in WALKERS]
    own = {name: beaten(found.paths, name, walkers) for name in MECHANICS}
    kl = divergences(found.paths, KL)
    won = {name: counts | {"KL": sum(kl[name] < kl[rival] for rival in walkers)} for name, counts in own.items()}
    told = "; ".join(f"{name}: {', '.join(f'{of} {n}' for of, n in counts.items())}" for name, counts in won.items())
    signs = [2 * n > len(walkers) for counts in won.values() for n in counts.values()]
    ours = f"how many of {len(walkers)} maps by winner-take-all are worse (beyond 95 %, except for KL): {told}"
    return Claim(
        "scanpath-oriented models outperform saliency-based ones (here: most of them)",
        "Tables 1 and 3",
        ours,
        judge_all(signs),
    )


def supervised_are_maps(found: MapsAndPaths) -> Claim:
    """Supervised models are better maps than scanpath models, and worse paths."""
    maps = [name for name in models_of(found.maps) if part_of(name).model == name]  # of maps, not of piled paths
    taught = [name for name in maps if supervised(name) == "yes"]
    piled = [f"visits(of={name})" for name in MECHANICS]
    gains = [ahead(found.maps, of, (name, other)) for of in ("auc", "nss") for name in taught for other in piled]
    walked = [f"wta_argmax(of={name})" for name in taught]
    losses = [ahead(found.paths, of, (one, name)) for of in JUDGED for name in walked for one in MECHANICS]
    better, worse = sum(gain.positive for gain in gains), sum(loss.positive for loss in losses)
    ours = (
        f"{', '.join(taught) or 'none'} (not deep: no weights here): a better map than {', '.join(MECHANICS)} in "
        f"{better} of {len(gains)} comparisons (AUC, NSS), a worse path by winner-take-all in {worse} of {len(losses)}"
    )
    says = "supervised models are the better maps, but fail to capture the time course"
    return Claim(
        says, "SAM: AUC 0.88, NSS 2.38; String-Edit 8.02", ours, judge_all([better == len(gains), worse == len(losses)])
    )


def saccades_are_short(found: MapsAndPaths) -> Claim:
    """Scanpath-oriented models favour short saccades, as people do."""
    every = {name: mean(own) for name, own in values(found.paths, "reach", [*models_of(found.paths), "people"]).items()}
    walkers = [every[name].value for name in every if part_of(name).way in WALKERS]
    own = {name: every[name] for name in MECHANICS if name in every}
    told = ", ".join(f"{name} {of}" for name, of in own.items())
    ours = (
        f"mean amplitude in % of the diagonal: people {every['people']}; {told}; maps by winner-take-all "
        f"{min(walkers):.1f} … {max(walkers):.1f}"
    )
    signs = [of.value < min(walkers) for of in own.values()] + [every["people"].value < min(walkers)]
    return Claim(
        "scanpath-oriented models favour short saccades, as people do", "text of 4.3, Figure 3", ours, judge_all(signs)
    )


def gravity_beats_the_blind(found: MapsAndPaths) -> Claim:
    """What the scores mean: whether the gravitational models are above those that do not look."""
    blind = [name for name in _blind(found) if name != ORDERED]
    told, signs = [], []
    for name in GRAVITY:
        for of in ("string_edit", "stde(norm=k)"):
            over = [other for other in blind if not ahead(found.paths, of, (name, other)).positive]
            signs.append(not over)
            told.append(f"{name}, {of}: " + (f"not above {', '.join(over)}" if over else "above all"))
    ours = f"beyond 95 %, of {', '.join(blind)}: {'; '.join(told)}"
    says = "(ours) gravitational models use the picture: they beat blind models"
    return Claim(says, "not asked", ours, judge_all(signs))


def after(found: MapsAndPaths) -> str:
    """Where people are not above the blind models, and how long paths are."""
    told = []
    for of in JUDGED:
        over = [other for other in _blind(found) if not ahead(found.paths, of, ("people", other)).positive]
        told.append(f"{of}: {', '.join(over) or 'none'}")
    long = values(found.paths, "string_edit.length", [*MECHANICS, "people"])
    lengths = ", ".join(f"{name} {np.nanmean(own):.1f}" for name, own in long.items())
    return (
        f"Blind models that people do not beat at 95 %: {'; '.join(told)}. A measure that a stare at the middle can "
        "win says little alone; the divergence of amplitudes, which the paper proposes, exposes such models. The "
        f"string edit also counts lengths, and shorter scanpaths can have fewer edits; mean fixations: {lengths}."
    )


def _blind(found: MapsAndPaths) -> list[str]:
    return list(dict.fromkeys(found.paths.loc[found.paths["role"] == "blind", "model"]))
