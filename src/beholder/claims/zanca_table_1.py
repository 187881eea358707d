"""Table 1 of Zanca et al. (2020) for all models: each as a map and as a path, in one table that is joined from runs.

`python -m beholder.claims.zanca_table_1 RUN …` prints it from the folders of finished runs of attention/saliency,
attention/scanpath and attention/dynamics on one dataset. In runs of maps `visits(of=gravity)` stands for gravity; in
those of paths `wta_argmax(of=itti)` and `wta_lif(of=itti)` stand for itti; any other name is the same in both.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from beholder.claims.claim import markdown_table
from beholder.core.cite import facts_of
from beholder.core.measure import label
from beholder.core.scores import JUDGED
from beholder.errors import Misuse
from beholder.evaluation.record import read
from beholder.registry.find import find, names
from beholder.registry.spec import parse
from beholder.registry.trained_on import lessons
from beholder.verdicts.summary import summary

if TYPE_CHECKING:
    import pandas as pd

# The paper's columns, and both directions of the divergence of its Table 3, by the measures that they are read from.
MAPS = {"AUC": "auc", "NSS": "nss"}
PATHS = {
    "String-Edit": "string_edit",
    "STDE": "stde",
    "KL(people‖model)": "amplitude_divergence.kl",
    "KL(model‖people)": "amplitude_divergence.kl_model_people",
}
TITLES = {measure: title for title, measure in (MAPS | PATHS).items()}
WRAPPED = re.compile(r"(visits|wta_argmax|wta_lif)(?:\((.*)\))?")
GUIDED = {"visits": "gravity", "wta_argmax": "itti", "wta_lif": "itti"}  # whose map or path it is unless it is said
AS_ITS_MAP = "as its map"  # on cards of models that walk over one
ROLES = ("model", "baseline", "oracle", "ceiling", "blind")  # in the order of the rows; single persons have none


class Part(NamedTuple):
    """Whose score it is, and how a path was made of its map."""

    model: str
    way: str = ""


class Cell(NamedTuple):
    """A mean over pictures and its interval."""

    value: float
    lo: float
    hi: float

    def __str__(self) -> str:
        return f"{self.value:.2f} [{self.lo:.2f}, {self.hi:.2f}]" if self.lo < self.hi else f"{self.value:.2f}"


class Row(NamedTuple):
    """A model, the way of walking over its map, and what it scores."""

    model: str
    way: str
    role: str
    cells: Mapping[str, Cell]


def part_of(name: str) -> Part:
    """Whose map or path a model of a run is.

    >>> part_of("wta_argmax(of=itti)"), part_of("visits(of='gravity',observers=5)").model, part_of("wta_lif")
    (Part(model='itti', way='wta_argmax'), 'gravity', Part(model='itti', way='wta_lif'))
    >>> part_of("gravity(beta=2)")
    Part(model='gravity(beta=2)', way='')
    """
    found = WRAPPED.fullmatch(name)
    if not found:
        return Part(name)
    of = re.search(r"\bof=(?:'([^']*)'|\"([^\"]*)\"|([^,]*))", found[2] or "")
    whose = next(filter(None, of.groups()), "") if of else GUIDED[found[1]]
    return Part(whose, "" if found[1] == "visits" else found[1])


def joined(*tables: pd.DataFrame) -> list[Row]:
    """One row per model and way of walking, from runs: models by String-Edit, then people, then blind models.

    What was not measured has no cell. Runs of different datasets are refused: their numbers are of different pictures.
    """
    import pandas as pd

    datasets = sorted({str(dataset) for table in tables for dataset in table["dataset"].unique()})
    if len(datasets) != 1:
        raise Misuse(f"got runs on {', '.join(datasets) or 'no dataset'}; expected finished runs of one dataset")
    means = summary(pd.concat([_wanted(table) for table in tables], ignore_index=True))
    maps, paths = (_rows(means, columns) for columns in (MAPS, PATHS))
    on_maps = {row.model: row for row in maps}
    both = [row._replace(cells={**_cells(on_maps.get(row.model)), **row.cells}) for row in paths]
    walked = {row.model for row in paths}
    return sorted([*both, *(row for row in maps if row.model not in walked)], key=_place)


def _wanted(scores: pd.DataFrame) -> pd.DataFrame:
    """The scores of the table's measures on all that was looked at."""
    named = [_column(*key) for key in zip(scores["measure"], scores["settings"], scores["part"], strict=True)]
    wanted = scores.assign(measure=named, settings="", part="")
    return wanted[wanted["measure"].isin(TITLES) & (scores["criterion"] == "all")]


def _column(measure: str, settings: str, part: str) -> str:
    """The name of a measure without settings that are the table's: presets of AUC and NSS, and STDE over k.

    Divergences are those that papers print, with nothing subtracted: the score with its interval where a run has it so,
    else its part.

    >>> _column("auc", "preset=tuebingen", ""), _column("stde", "norm=k", ""), _column("stde", "norm=rms", "")
    ('auc', 'stde', 'stde(norm=rms)')
    >>> _column("amplitude_divergence", "excess=False", ""), _column("amplitude_divergence", "", "kl")
    ('amplitude_divergence.kl', 'amplitude_divergence.kl')
    """
    if settings == "excess=False" and part != "kl":
        return label(measure, part=part or "kl")
    bare = settings == "norm=k" or (settings.startswith("preset=") and "," not in settings)
    return label(measure, "" if bare else settings, part)


def _rows(means: pd.DataFrame, columns: Mapping[str, str]) -> list[Row]:
    """One row per part, from the summary of runs."""
    held = means[means["measure"].isin(columns.values()) & (means["held"] > 0) & means["role"].isin(ROLES)]
    lines = held[["model", "role", "measure", "value", "lo", "hi"]].itertuples(index=False, name=None)
    found: dict[Part, Row] = {}
    for name, role, measure, *numbers in lines:
        of = part_of(name)
        row = found.setdefault(of, Row(*of, role, {}))
        found[of] = row._replace(cells={**row.cells, TITLES[measure]: Cell(*numbers)})
    return list(found.values())


def _cells(row: Row | None) -> Mapping[str, Cell]:
    return row.cells if row else {}


def _place(row: Row) -> tuple[int, float]:
    edits = row.cells.get("String-Edit")
    return max(ROLES.index(row.role), 1), edits.value if edits else float("inf")


def supervised(model: str) -> str:
    """Whether a model has learnt from where people look: yes, no, or ? of one that is not built in.

    What its card says goes first: `blind` has learnt how eyes move on whatever picture. One that walks over a map is as
    that map is.

    >>> supervised("gravity"), supervised("judd_like"), supervised("saccadic_prior"), supervised("sam")
    ('no', 'yes', 'blind', '?')
    >>> supervised("levy"), supervised("levy(of=judd_like)"), supervised("scenewalk(rates=fitted)")
    ('no', 'yes', 'yes')
    """
    name = model.partition("(")[0]
    if name not in names("attention.models"):
        return "?"
    found = find("attention.models", name)
    said = facts_of(found).get("supervised", AS_ITS_MAP)
    if said != AS_ITS_MAP:
        return said
    return "yes" if lessons(partial(found, **parse(model)[1])) else "no"


def markdown(rows: Iterable[Row]) -> str:
    """The table: supervised?, and each column with its interval; — where there is nothing."""
    head = ["model", "path by", "supervised", *MAPS, *PATHS]
    lines = [[*_named(row), *(str(row.cells.get(title, "—")) for title in (*MAPS, *PATHS))] for row in rows]
    return markdown_table(head, lines)


def _named(row: Row) -> list[str]:
    if row.role not in JUDGED:
        return [f"{row.model} ({row.role})", "", ""]
    return [row.model, row.way or "itself", supervised(row.model)]


def main(folders: Sequence[str]) -> int:
    """Print the table of some runs; 2 is misuse, as of every command, and a sentence says what is wrong."""
    try:
        if not folders:
            raise Misuse("got no folder; expected those of runs: python -m beholder.claims.zanca_table_1 RUN …")
        sys.stdout.write(markdown(joined(*(read(folder).scores for folder in folders))) + "\n")
    except Misuse as fault:
        sys.stderr.write(f"{fault}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
