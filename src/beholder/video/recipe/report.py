"""What a training leaves behind: the network with its head, levels.json, a table, a text and a figure."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from beholder.io.atomic import write_whole
from beholder.video.recipe.encoder import UNSAID
from beholder.video.recipe.training import Trained, Training
from beholder.video.release.commonsense import CLASSES, WORTH

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MADE = "made"  # how the source of a made set begins
ROLE = "videomae"  # the folder that backend=deep looks into
INK, BLUE, ORANGE = "#22282d", "#0072b2", "#e69f00"  # blue and orange of Okabe & Ito
SHADES = ("#b2182b", "#ef8a62", "#999999", "#67a9cf", "#2166ac")  # Bad … Perfect
TEXT = 8.5  # points


def write(found: Training, out: Path, *, licence: str = "") -> str:
    """Write OUT/videomae, which `--set backend=deep --set weights=OUT` loads, and the report; the text is returned."""
    folder = out / ROLE
    folder.mkdir(parents=True, exist_ok=True)
    kept = found.kept
    own = licence or kept.encoder.weights.licence
    kept.encoder.save(folder)
    write_whole(folder / "levels.json", json.dumps(record(found, own), indent=1, allow_nan=False) + "\n")
    source = f"beholder video train, on {kept.encoder.weights.source}"
    said = "" if own == UNSAID else f"license: {own}\n"
    write_whole(folder / "README.md", f"---\n{said}source: {source}\n---\n\n{text(found)}\n")
    write_whole(out / "clips.csv", table(found))
    write_whole(out / "report.txt", text(found) + "\n")
    with (out / "report.png").open("wb") as file:
        figure(found).savefig(file, format="png", dpi=150)
    return text(found)


def record(found: Training, licence: str) -> dict[str, Any]:
    """All that must be known of the head to trust it, or not."""
    kept, held = found.kept, found.kept.held_out
    names = np.array(found.preferences.items)
    strengths = kept.fit.strengths
    return {
        "levels": list(CLASSES),
        "worth": WORTH.tolist(),
        "cut_points": kept.levels.cuts.tolist(),
        "cut_points_are": "Bradley-Terry strengths (log odds); a clip at a cut belongs to the level above it",
        "counts": {
            "train": kept.levels.counts(strengths[kept.split.train]),
            "validation": kept.levels.counts(strengths[kept.split.stop]),
            "held_out": kept.levels.counts(held.strengths),
        },
        "comparisons": len(found.preferences.value),
        "ties": int((found.preferences.value == 0.5).sum()),
        "preferences": found.preferences.source,
        "seed": found.plan.seed,
        "prior": found.plan.prior,
        "unfrozen_blocks": found.plan.unfreeze,
        "epoch": kept.curve.best,
        "held_out": {
            "spearman": _plain(held.spearman),
            "preference_accuracy": _plain(held.accuracy),
            "comparisons": held.decided,
            "drawn": held.drawn,
            "reliability_of_strengths": _number(held.reliability),
            "refits": [_number(one) for one in found.refits],
            "spread_over_trainings": _number(found.spread),
        },
        "clips": {
            "train": names[kept.split.train].tolist(),
            "validation": names[kept.split.stop].tolist(),
            "held_out": names[kept.split.test].tolist(),
        },
        "network": {
            "source": kept.encoder.weights.source,
            "digest": kept.encoder.weights.digest,
            "licence": licence,
        },
    }


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _plain(one: Any) -> dict[str, float | None]:
    return {name: _number(getattr(one, name)) for name in ("value", "lo", "hi")}


def table(found: Training) -> str:
    """One row a clip: what it was used for, its strength, level, and CAS where it was held out."""
    import csv
    import io

    kept = found.kept
    held = dict(
        zip(kept.split.test.tolist(), zip(kept.held_out.strengths, kept.held_out.cas, strict=True), strict=True)
    )
    use = {at: word for word, part in zip(("train", "validation", "held out"), kept.split, strict=True) for at in part}
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["item", "group", "use", "strength", "level", "cas"])
    for at, item in enumerate(found.preferences.items):
        strength, cas = held.get(at, (kept.fit.strengths[at], None))
        level = CLASSES[int(kept.levels.of(np.array([strength]))[0])]
        said = "" if cas is None else f"{cas:.6f}"
        writer.writerow([item, found.preferences.groups[at], use.get(at, "unused"), f"{strength:.6f}", level, said])
    return file.getvalue()


def text(found: Training) -> str:
    """The report in words: the answer, then on what it rests, then what to mind."""
    kept, held, its = found.kept, found.kept.held_out, found.preferences
    drawn = "prompts" if its.grouped else "clips"
    lines = [
        f"On {len(held.cas)} held-out clips the rank correlation (Spearman) of CAS with Bradley–Terry strength is "
        f"{held.spearman} (95 %, bootstrap over {held.drawn} {drawn}).",
        f"Of {held.decided} comparisons between held-out clips CAS is right in {held.accuracy} (chance: 0.5).",
    ]
    if found.refits:
        every = ", ".join(f"{one:.3f}" for one in found.refits)
        lines.append(
            f"Trained again on other splits with other seeds: {every} (standard deviation over all trainings "
            f"{found.spread:.3f})."
        )
    if not math.isnan(held.reliability):
        lines.append(
            f"The ranks of the strengths themselves are reliable to {held.reliability:.2f} (by halves of the "
            "comparisons: too low where these are few)."
        )
    counts = kept.levels.counts(kept.fit.strengths[kept.split.train])
    cuts = ", ".join(f"{cut:.3f}" for cut in kept.levels.cuts)
    lines += [
        "",
        f"Preferences: {len(its.value):,} comparisons ({its.source}), {int((its.value == 0.5).sum()):,} of them ties, "
        f"on {len(its.items):,} clips{f' of {len(set(its.groups)):,} prompts' if its.grouped else ''}.",
        f"Trained on {len(kept.split.train)} clips, stopped by {len(kept.split.stop)} at epoch {kept.curve.best}; "
        f"{_trained_what(found)}; seed {found.plan.seed}.",
        f"Levels of the training clips: {', '.join(f'{name} {count}' for name, count in counts.items())}; cut-points "
        f"{cuts} (log odds).",
        f"Network: {kept.encoder.weights.source}; licence: {kept.encoder.weights.licence}.",
    ]
    return "\n".join([*lines, *_caveats(found, kept)])


def _trained_what(found: Training) -> str:
    blocks = found.plan.unfreeze
    return f"the head and the last {blocks} blocks were trained" if blocks else "only the head was trained"


def _caveats(found: Training, kept: Trained) -> list[str]:
    """What a reader must mind."""
    held, said = kept.held_out, []
    if not found.preferences.grouped:
        said.append("No prompts are known: clips of one prompt may have been trained on and held out.")
    parts = len(np.unique(kept.fit.parts[np.concatenate([kept.split.train, kept.split.stop])]))
    if parts > 1:
        said.append(
            f"The comparisons fall into {parts} parts that were never compared with one another. Strengths are "
            "relative within a part; levels across parts rest on the assumption that all are equally good on average."
        )
    if kept.unmet:
        said.append(f"{kept.unmet} clips were only compared with held-out ones, and are not trained on.")
    if len(held.cas) < 20 or held.drawn < 10:
        of = f" of {held.drawn} prompts" if found.preferences.grouped else ""
        said.append(f"Only {len(held.cas)} clips{of} were held out: treat the interval as rough.")
    if found.preferences.source.startswith(MADE):
        said.append(
            "The set is generated and easy on purpose: it shows that the recipe runs, nothing about commonsense."
        )
    return ["", *said] if said else []


def figure(found: Training) -> Figure:
    """Held-out clips, the losses of the training, and ρ of all trainings."""
    from matplotlib.figure import Figure

    made = Figure(figsize=(9.5, 3.2), layout="constrained")
    scatter, losses, trainings = made.subplots(1, 3, width_ratios=(1.3, 1, 0.8))
    _scatter(scatter, found)
    _losses(losses, found)
    _trainings(trainings, found)
    for axes in (scatter, losses, trainings):
        axes.tick_params(labelsize=TEXT)
        axes.spines[["top", "right"]].set_visible(False)
    return made


def _scatter(axes: Any, found: Training) -> None:
    kept, held = found.kept, found.kept.held_out
    level = kept.levels.of(held.strengths)
    for at, (name, colour) in enumerate(zip(CLASSES, SHADES, strict=True)):
        mine = level == at
        axes.plot(held.strengths[mine], held.cas[mine], "o", color=colour, markersize=4.5, label=name)
    for cut in kept.levels.cuts:
        axes.axvline(cut, color=INK, linewidth=0.6, linestyle=":")
    axes.set_ylim(-0.03, 1.03)
    axes.set_xlabel("Bradley–Terry strength (log odds; dotted: cut-points)", fontsize=TEXT)
    axes.set_ylabel("CAS", fontsize=TEXT)
    axes.set_title(f"{len(held.cas)} held-out clips, ρ = {held.spearman}", fontsize=TEXT)
    box = axes.legend(fontsize=TEXT - 1, loc="lower right", title="level by strength", title_fontsize=TEXT - 1)
    box.get_frame().set(edgecolor="none", alpha=1)  # the dotted lines end at it


def _losses(axes: Any, found: Training) -> None:
    curve = found.kept.curve
    axes.plot(curve.train, color=BLUE, linewidth=1.2, label="training clips")
    axes.plot(curve.stop, color=ORANGE, linewidth=1.2, label="validation clips")
    axes.axvline(curve.best, color=INK, linewidth=0.6, linestyle=":")
    axes.set_ylim(0, None)
    axes.set_xlabel("epoch (dotted: the one that is kept)", fontsize=TEXT)
    axes.set_ylabel("cross-entropy", fontsize=TEXT)
    axes.set_title("training", fontsize=TEXT)
    axes.legend(fontsize=TEXT - 1, frameon=False)


def _trainings(axes: Any, found: Training) -> None:
    held = found.kept.held_out.spearman
    if not math.isnan(held.lo):
        axes.plot([0, 0], [held.lo, held.hi], color=BLUE, linewidth=2)
    axes.plot(0, held.value, "o", color=BLUE, markersize=6)
    places = 1 + np.linspace(-0.15, 0.15, len(found.refits)) if found.refits else np.empty(0)
    axes.plot(places, found.refits, "o", color=ORANGE, markersize=5)
    axes.set_xlim(-0.5, 1.5)
    low = min([value for value in (held.lo, held.value, *found.refits) if not math.isnan(value)], default=0.0)
    axes.set_ylim(min(0.0, low - 0.05) if low < 0.5 else 0.5, 1.02)
    axes.set_xticks([0, 1], ["kept\n(95 % interval)", "other splits\nand seeds"], fontsize=TEXT)
    axes.set_ylabel("Spearman's ρ on held-out clips", fontsize=TEXT)
    axes.set_title("how sure", fontsize=TEXT)
