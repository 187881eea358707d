"""Writes the generated pages: docs/catalogue.md from the cards, docs/claims.md from what the domains recompute.

Pages that are written by hand may hold `<!-- table BENCHMARK -->` … `<!-- end -->`: what stands between is replaced by
the table of its baselines from a run, and the pictures beside them are those of that run.
"""

from __future__ import annotations

import io
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from beholder.spine.catalogue import inside, places, shown_in
from beholder.spine.find import domains
from beholder.spine.plan import Order, plan
from beholder.spine.progress import Silent
from beholder.spine.scores import summary
from beholder.spine.session import Manner, conduct

if TYPE_CHECKING:
    import pandas as pd

    from beholder.spine.benchmark import Benchmark

HERE = Path(__file__).parent
GENERATED = "<!-- written by ./do docs; do not edit -->"
TABLE = re.compile(r"(<!-- table (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)
PICTURES = {"motion/dynamic": ("mean_course_of_diamonds", "spatial_summation")}  # of the run, that a page shows
SHEETS = {  # the stimuli of the contact sheets, by bed
    "classical": (
        *("bars/bar2", "bars/bar3", "diamonds/diamond0", "diamonds/diamond1"),
        *("gratings/grating1", "gratings/grating3", "barber_poles/barber_pole0", "barber_poles/barber_pole1"),
    ),
    "beyond": (
        *("contrasts/contrast0", "contrasts/contrast2", "plaids/plaid1", "plaids/plaid3"),
        *("dots/dot16", "noisy_gratings/noisy_grating20"),
    ),
}


LOOKED_AT, SHOWN = "astronaut", ("gbvs", "aim", "bms", "itti")  # of the figure on attention


def catalogue() -> str:
    """Every card of the package."""
    head = [GENERATED, "# Catalogue", "", "The card of everything there is, as `beholder show NAME` prints it."]
    return "\n".join([*head, *_cards()])


def _cards() -> Iterator[str]:
    for place in places():
        found = inside(place)
        if found:
            yield f"\n## {place.replace('.', ': ')}"
        for name in found:
            yield f"\n### {name}\n\n```text\n{shown_in(place, name)}\n```"
    yield ""


def claims() -> str:
    """What the sources claim, and what comes out here."""
    parts = [GENERATED, "# Claims", "", "What the sources say, what was recomputed here, and how far that carries.", ""]
    for domain in domains():
        if find_spec(f"beholder.{domain}.claims"):
            parts += [f"## {domain}", "", import_module(f"beholder.{domain}.claims").claims(), ""]
    return "\n".join(parts)


def with_tables(page: Path) -> str:
    """A page with its tables written anew."""
    return TABLE.sub(lambda found: f"{found[1]}\n{baselines(found[2])}\n\n{found[3]}", page.read_text("utf-8"))


def baselines(name: str) -> str:
    """The baselines, oracles and nulls of a benchmark on its built-in bed, from a run; its pictures are kept."""
    what = plan(Order(name))
    with tempfile.TemporaryDirectory() as place:
        done = conduct(what, Manner(out=Path(place, "run"), jobs=2, samples=1), Silent())
        for picture in PICTURES.get(name, ()):
            (found,) = done.folder.glob(f"figures/*/*/overview/{picture}.png")
            target = HERE / name.partition("/")[0] / f"{picture}.png"
            target.parent.mkdir(exist_ok=True)
            _small(found, target, "RGB")
    return baseline_table(what.parts[0].benchmark, done.scores)


def baseline_table(bench: Benchmark, scores: pd.DataFrame) -> str:
    """Means with their intervals, best first, and what they rest on."""
    official = scores[scores["measure"].isin(bench.official)]
    table = summary(official)
    table = table[table["held"] > 0]
    cells = list(table[["measure", "criterion"]].drop_duplicates().itertuples(index=False, name=None))
    verdict = bench.judge(scores)
    order = [*verdict.standing.index, *table.loc[table["role"] != "model"].sort_values("role")["model"].unique()]
    head = ["model", "mean", *(c if c != "all" else m for m, c in cells)]
    rows = [_row(name, table[table["model"] == name], cells) for name in order]
    for name, row in zip(verdict.standing.index, rows, strict=False):
        row[1] = _number(tuple(verdict.standing.loc[name, ["score", "lo", "hi"]]))
    text = [f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows]]
    return "\n".join([*text, "", _source(bench, table)])


def _row(name: str, own: pd.DataFrame, cells: Sequence[tuple[str, str]]) -> list[str]:
    """One model: the mean of its columns, and each with its interval."""
    means = {(m, c): (v, lo, hi) for m, c, v, lo, hi in own[["measure", "criterion", "value", "lo", "hi"]].to_numpy()}
    role = str(own["role"].iloc[0])
    label = f"`{name}`" if role == "model" else f"`{name}` ({role})"
    found = [_number(means.get(cell)) for cell in cells]
    return [label, f"{sum(v for v, _, _ in means.values()) / len(cells):.2f}", *found]


def _number(found: tuple[float, float, float] | None) -> str:
    if found is None:
        return "—"
    value, lo, hi = found
    return f"{value:.2f} [{lo:.2f}, {hi:.2f}]" if lo < hi else f"{value:.2f}"


def _source(bench: Benchmark, table: pd.DataFrame) -> str:
    held = table[table["role"] == "model"].groupby("model")[["held", "low"]].sum()
    bed, statuses = bench.bed, ", ".join(sorted(set(table["provenance"])))
    low = int(held["low"].sum())
    doubt = f"; {low} scores of low confidence" if low else ""
    return (
        f"`{bench.name}`, version {bench.version}, bed `{bed.name}` ({len(bed)} stimuli, {bed.fingerprint}); "
        f"{int(held['held'].min())} scores held by every model{doubt}; status of the references: {statuses}. Brackets: "
        "95 % intervals."
    )


def draw_sheets() -> None:
    """docs/motion/<bed>.png."""
    from beholder.motion.figures import contact_sheet
    from beholder.spine.load import bed

    for name, ids in SHEETS.items():
        samples = [bed("motion.beds", name).load(id) for id in ids]
        figure = contact_sheet({one.tags["set"].replace(" right", "", 1): one.stimulus for one in samples})
        picture = io.BytesIO()
        figure.savefig(picture, dpi=90, format="png")
        _small(picture, HERE / "motion" / f"{name}.png", "L")


def draw_looks() -> None:
    """docs/attention/looks.png: what a run draws of a sample, here one of the built-in bed, whose observers are not."""
    from beholder.attention.figures import looks
    from beholder.attention.types import attended
    from beholder.spine.find import find
    from beholder.spine.load import bed

    sample = bed("attention.beds", "simulated").load(LOOKED_AT)
    picture, models = io.BytesIO(), {name: find("attention.models", name) for name in SHOWN}
    seen = {name: attended(model(sample.stimulus), sample.stimulus) for name, model in models.items()}
    looks(sample, seen).savefig(picture, dpi=80, format="png")
    (HERE / "attention").mkdir(exist_ok=True)
    _small(picture, HERE / "attention" / "looks.png", "RGB", 144)


def _small(picture: Path | io.BytesIO, target: Path, mode: str, colours: int = 48) -> None:
    """A picture in few colours."""
    from PIL import Image

    Image.open(picture).convert(mode).quantize(16 if mode == "L" else colours).save(target, optimize=True)


def main() -> None:
    """Write the generated pages, or only those that are named."""
    wanted = sys.argv[1:]
    for name, page in {"catalogue.md": catalogue, "claims.md": claims}.items():
        if not wanted or name in wanted:
            _write(HERE / name, page())
    for file in sorted(HERE.glob("*.md")):
        if TABLE.search(file.read_text("utf-8")) and (not wanted or file.name in wanted):
            _write(file, with_tables(file))
            draw_sheets()
    if not wanted or "attention.md" in wanted:
        draw_looks()


def _write(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")
    print(path, file=sys.stderr)  # noqa: T201


if __name__ == "__main__":
    main()
