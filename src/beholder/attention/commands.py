"""The verbs of attention: `beholder gaze` and `beholder groups`; each is parse → one call → print or write."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Annotated

import typer

from beholder.errors import Misuse

PANEL = "People"
app = typer.Typer(rich_markup_mode="rich")

RECORDINGS = "tables of samples (.csv, .tsv), EyeLink text (.asc), …_physio.tsv.gz, or a folder (BIDS, .asc)"
DETECTOR = "velocity, acceleration, dispersion, geymol or tracker; settings in brackets"
SHOWN = 6  # trials in the picture


@app.command(rich_help_panel=PANEL)
def gaze(  # noqa: PLR0913, PLR0917  (the options of a command are its arguments)
    recordings: Annotated[list[Path], typer.Argument(metavar="FILE…", help=RECORDINGS)],
    detector: Annotated[str, typer.Option(metavar="NAME[(K=V,…)]", help=DETECTOR)] = "velocity",
    px_per_deg: Annotated[float | None, typer.Option(metavar="N", help="pixels per degree of visual angle")] = None,
    screen: Annotated[str, typer.Option(metavar="WxH", help="the screen's size in px, such as 1920x1080")] = "",
    width_cm: Annotated[float | None, typer.Option(metavar="CM", help="width of the screen")] = None,
    distance_cm: Annotated[float | None, typer.Option(metavar="CM", help="distance from the eye to the screen")] = None,
    hertz: Annotated[
        float | None, typer.Option(metavar="N", help="samples per second, if a table has no times")
    ] = None,
    time_unit: Annotated[str, typer.Option(metavar="UNIT", help="unit of a table's times: ms, s or us")] = "",
    column: Annotated[
        list[str], typer.Option(metavar="WORD=NAME", help="column NAME holds x, y, time, stimulus, observer or valid")
    ] = [],  # noqa: B006
    trials: Annotated[str, typer.Option(metavar="TEXT", help="EyeLink: how messages that begin a trial start")] = "",
    eye: Annotated[str, typer.Option(help="EyeLink: L or R; BIDS: eye1 or eye2")] = "",
    pictures: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="pictures shown in the middle of the screen; gaze becomes relative to them"),
    ] = None,
    around_gaps: Annotated[float, typer.Option(metavar="MS", help="also drop gaze this near to a gap or blink")] = 0.0,
    least_seen: Annotated[
        float, typer.Option(metavar="SHARE", help="leave out trials with a smaller share of valid gaze")
    ] = 0.0,
    out: Annotated[Path, typer.Option(metavar="FILE", help="the table to write")] = Path("fixations.csv"),
    figure: Annotated[Path | None, typer.Option(metavar="FILE", help="default: beside the table, .png")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="replace an existing table")] = False,
) -> None:
    """From raw gaze to fixations.

    Writes a table that `--dataset fixations:FILE` reads, and a picture to check it by.
    """
    from beholder.attention.figures.gaze import gaze_traces
    from beholder.attention.recordings.fixation_table import as_csv, find_fixations, summary, without_mostly_lost
    from beholder.attention.recordings.request import Request
    from beholder.io.atomic import whole_file, write_whole
    from beholder.io.columns import UNITS

    if out.exists() and not fresh:
        raise Misuse(f"got {out}, which exists; expected a new file; say --fresh to replace it, or another --out")
    if time_unit not in ("", *UNITS):
        raise Misuse(f"got --time-unit {time_unit}; expected {', '.join(UNITS)}")
    asked = Request(
        tuple(recordings), detector, _number(px_per_deg), _size(screen, "--screen"), _number(width_cm),
        _number(distance_cm), _pairs(column), time_unit, _number(hertz), trials, eye, pictures, around_gaps,
    )  # fmt: skip
    found, gone = without_mostly_lost(find_fixations(asked), least_seen)
    typer.echo(summary(found))
    if gone:
        typer.echo(f"Left out: {gone} of {gone + len(found.trials)} trials, of which less was seen than asked.")
    picture = figure or out.with_suffix(".png")
    write_whole(out, as_csv(found))
    shown = [(f"{t.observer} · {t.stimulus}", t.gaze, p) for t, p in zip(found.trials, found.paths, strict=True)]
    with whole_file(picture) as file:
        gaze_traces(shown[:SHOWN]).savefig(file, format=picture.suffix[1:].lower() or "png")
    typer.echo(
        f"\n{out}: the table; with the pictures in its folder, beholder run attention/scanpath "
        f"--dataset fixations:{out}"
    )
    drawn = f"the first {SHOWN} trials" if len(shown) > SHOWN else "all trials"
    typer.echo(f"{picture}: {drawn}, with what was found in them; look at it")


@app.command(rich_help_panel=PANEL)
def groups(  # noqa: PLR0917
    people: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE [FILE]", help="a table of fixations with groups, two tables, or a dataset B[:PATH]"
        ),
    ],
    group: Annotated[str, typer.Option(metavar="COLUMN", help="the column with each observer's group")] = "group",
    between: Annotated[str, typer.Option(metavar="A,B", help="two of several groups")] = "",
    size: Annotated[
        str, typer.Option(metavar="WxH", help="the pictures' size in px; default: as far as fixations reach")
    ] = "",
    px_per_deg: Annotated[float | None, typer.Option(metavar="N", help="pixels per degree of visual angle")] = None,
    scanpaths: Annotated[str, typer.Option(metavar="MEASURE", help="scanmatch or multimatch")] = "scanmatch",
    seed: Annotated[int, typer.Option(help="seed of the permutations, where not all are tried")] = 0,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="write the numbers there, as CSV")] = None,
) -> None:
    """Do two groups of people look differently?

    Compares scanpaths, maps and eye movements; significance by permuting who is in which group.
    """
    from beholder.attention.groups.comparison import compare_groups
    from beholder.attention.groups.reading import Wanted, read_groups
    from beholder.attention.groups.wording import as_csv, told
    from beholder.io.atomic import write_whole

    chosen = tuple(word.strip() for word in between.split(",") if word.strip())
    given = read_groups(people, Wanted(group, chosen, _size(size, "--size"), _number(px_per_deg)))
    found = compare_groups(given, scanpaths=scanpaths, seed=seed)
    typer.echo(told(given, found))
    if out:
        write_whole(out, as_csv(found))
        typer.echo(f"\n{out}: the numbers")


def _number(given: float | None) -> float:
    return math.nan if given is None else given


def _size(text: str, option: str) -> tuple[int, int] | None:
    """Width and height in px; None where nothing was given."""
    found = re.fullmatch(r"(\d+)\s*[x×]\s*(\d+)", text.strip())
    if text and not found:
        raise Misuse(f"got {option} {text!r}; expected width x height in px, such as 1920x1080")
    return (int(found[1]), int(found[2])) if found else None


def _pairs(given: list[str]) -> dict[str, str]:
    """WORD=NAME of each."""
    split = [text.partition("=") for text in given]
    wrong = [text for text, (word, _, name) in zip(given, split, strict=True) if not word or not name]
    if wrong:
        raise Misuse(f"got --column {wrong[0]!r}; expected WORD=NAME, such as x=gaze_x")
    return {word.strip(): name.strip() for word, _, name in split}
