"""The verbs of `beholder video prompts`: each is parse → one call → print or write."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from beholder.errors import Misuse

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode="rich",
    help="Make, review and count prompts that ask for motion.",
)

Prompts = Annotated[Path, typer.Argument(metavar="PROMPTS", help="prompts.json, full_info.json, a text, or a folder")]
Out = Annotated[Path, typer.Option(metavar="DIR", help="the folder to write to")]
Keep = Annotated[int, typer.Option(metavar="N", help="number of prompts to keep")]
Minimum = Annotated[
    list[str],
    typer.Option(metavar="NAME=N", help="at least N of a pattern, an interaction or a kind; may be repeated"),
]
Seed = Annotated[int, typer.Option(help="seed of everything that is drawn at random")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="no progress and no tables")]
Fresh = Annotated[bool, typer.Option("--fresh", help="replace what is there already")]
Style = Annotated[str, typer.Option("--as", metavar="STYLE[,…]", help="vmbench (prompts.json, prompts.txt), vbench")]


def _styles(said: str) -> list[str]:
    from beholder.video.prompts.files import STYLES

    found = [one.strip() for one in said.split(",") if one.strip()]
    if not found or set(found) - set(STYLES):
        raise Misuse(f"got --as {said}; expected {' or '.join(STYLES)}, or both with a comma between them")
    return found


@app.command()
def make(  # noqa: PLR0913, PLR0917
    out: Out,
    candidates: Annotated[int, typer.Option(metavar="N", help="number of candidates to write and check")] = 50_000,
    keep: Keep = 1_050,
    minimum: Minimum = [],  # noqa: B006
    vocabulary: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="folder with subjects.txt, places.txt or actions.txt, added to our own words"),
    ] = None,
    alone: Annotated[bool, typer.Option("--alone", help="with --vocabulary: use none of our own words")] = False,
    seed: Seed = 0,
    endpoint: Annotated[str, typer.Option(metavar="URL", help="an OpenAI-compatible endpoint, such as …/v1")] = "",
    model: Annotated[str, typer.Option(metavar="NAME", help="its model, or a local transformers model's folder")] = "",
    use: Annotated[
        str | None, typer.Option(metavar="write,check", help="what the language model does; default: both")
    ] = None,
    key: Annotated[str, typer.Option(metavar="VAR", help="environment variable that holds the key")] = "OPENAI_API_KEY",
    style: Style = "vmbench",
    keep_candidates: Annotated[
        bool, typer.Option("--keep-candidates", help="also write everything that passed the checks: candidates.jsonl")
    ] = False,
    fresh: Fresh = False,
    quiet: Quiet = False,
) -> None:
    """Make a balanced set of prompts: combine words, write, check, drop what repeats, choose."""
    import time

    from beholder.engines.progress import watch
    from beholder.video.prompts import choose, files
    from beholder.video.prompts import make as making
    from beholder.video.prompts.coverage import coverage, table

    start = time.monotonic()
    styles, least = _styles(style), choose.minimums(minimum)
    files.check_folder(out, fresh=fresh)
    with watch(quiet) as watching:
        words = _words(vocabulary, alone, watching)
        writer, judge = _language_model(endpoint, model, use, key, watching)
        made = making.make(
            candidates, keep, least=least, seed=seed, words=words, writer=writer, judge=judge, watch=watching
        )
        making.write(made, out, styles=styles, candidates=keep_candidates, fresh=fresh)
    if not quiet:
        typer.echo(f"{made.text()}\n\n{table({'this set': coverage(made.entries)})}\n")
        typer.echo(
            f"{time.monotonic() - start:.1f} s; patterns are those of the writer; drawn in {out / 'coverage.png'}"
        )
    typer.echo(out / ("prompts.json" if "vmbench" in styles else "full_info.json"))


def _words(folder: Path | None, alone: bool, watching: Any) -> Any:
    """Our own words, those of a folder, or both; what is of no kind that we know is said."""
    from beholder.errors import listed
    from beholder.video.prompts.vocabulary import built_in, read_folder

    if folder is None:
        if alone:
            raise Misuse("got --alone without --vocabulary; expected a folder of words")
        return built_in()
    found, unknown = read_folder(folder)
    for sort, words in unknown.items():
        watching.say(f"{len(words)} {sort} of no kind that is known here are left out: {listed(words, most=6)}")
    return found if alone else built_in().joined(found)


def _language_model(endpoint: str, model: str, use: str | None, key: str, watching: Any) -> Any:
    """Who writes and who judges, where a language model is named; else nobody."""
    parts = {one.strip() for one in ("write,check" if use is None else use).split(",") if one.strip()}
    if parts - {"write", "check"} or not parts:
        raise Misuse(f"got --use {use}; expected write, check or write,check")
    if not endpoint and not model:
        if use is not None:
            raise Misuse(f"got --use {use} without a language model; expected --model NAME, or no --use")
        return None, None
    from beholder.video.prompts.language_models import Author, Critic, opened

    chat = opened(endpoint, model, key)
    watching.say(f"language model: {chat.name}")
    return Author(chat) if "write" in parts else None, Critic(chat, watching) if "check" in parts else None


@app.command()
def extract(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE…", help="captions (.csv, .tsv, text) or lists of places")
    ],
    out: Out,
    least: Annotated[int, typer.Option(metavar="N", help="leave out what was found fewer times")] = 1,
) -> None:
    """Find subjects, places and actions in captions; `make --vocabulary DIR` takes them."""
    from beholder.video.prompts import extract as extracting

    found = extracting.extract(files)
    for path in extracting.write(found, out, least=least):
        typer.echo(path)
    typer.echo(found.text())


@app.command()
def review(
    prompts: Prompts,
    out: Annotated[Path, typer.Option(metavar="FILE.csv", help="the sheet to write")],
    fresh: Fresh = False,
) -> None:
    """Write a sheet to review: mark each prompt keep, drop or edit in a spreadsheet, then call `final`."""
    from beholder.video.prompts import files
    from beholder.video.prompts.review import write_sheet

    entries = files.read(prompts)
    write_sheet(entries, out, fresh=fresh)
    typer.echo(f"{len(entries):,} prompts to mark keep, drop or edit in {out}; as a web study: "
               f"beholder study new prompts --set file={prompts} --out DIR")  # fmt: skip


@app.command()
def final(  # noqa: PLR0913, PLR0917
    prompts: Prompts,
    sheets: Annotated[list[Path], typer.Argument(metavar="SHEET…", help="completed sheets, or a study's export")],
    out: Out,
    keep: Annotated[
        int | None, typer.Option(metavar="N", help="choose this many of what is left; default: all")
    ] = None,
    minimum: Minimum = [],  # noqa: B006
    unmarked: Annotated[
        str, typer.Option(metavar="refuse|keep|drop", help="what to do with unmarked prompts")
    ] = "refuse",
    seed: Seed = 0,
    style: Style = "vmbench",
    fresh: Fresh = False,
) -> None:
    """Read the verdicts back and write the set that is left, balanced, with every minimum that is demanded."""
    from random import Random

    from beholder.video.prompts import choose, files, tagger
    from beholder.video.prompts.coverage import coverage, table
    from beholder.video.prompts.review import Final, reviewed, write_final

    styles, least = _styles(style), choose.minimums(minimum)
    _elsewhere(prompts, out)
    files.check_folder(out, fresh=fresh)
    entries = files.read(prompts)
    found = reviewed(entries, [_verdicts(one, entries) for one in sheets], unmarked=unmarked)
    left = [entry if entry.pattern else tagger.tag(entry) for entry in found.kept]
    if not left:
        raise Misuse(f"got verdicts that keep no prompt ({found.text()}); expected one or more to keep")
    kept = files.numbered(choose.choose(left, len(left) if keep is None else keep, least, Random(seed)))
    about = Final([path.name for path in sheets], found.counts, found.notes, seed, least, unmarked)
    path = write_final(kept, about, out, styles=styles, fresh=fresh)
    for note in found.notes:
        typer.echo(f"note: {note}")
    typer.echo(f"{found.text()}; {len(kept):,} written\n\n{table({'this set': coverage(kept)})}\n\n{path}")


def _elsewhere(prompts: Path, out: Path) -> None:
    """Refuse to write where the prompts are that are read."""
    from beholder.video.prompts.files import prompt_file

    if prompt_file(prompts).resolve().parent == out.resolve():
        raise Misuse(f"got --out {out}, where the prompts are that are read; expected another folder")


def _verdicts(path: Path, entries: Any) -> Any:
    """Verdicts of a sheet, or of the export of a study."""
    from beholder.video.prompts.review import from_study, read_sheet

    return from_study(path, entries) if path.is_dir() or path.name == "answers.csv" else read_sheet(path, entries)


@app.command()
def count(
    prompts: Annotated[list[str], typer.Argument(metavar="[NAME=]PROMPTS…", help="sets of prompts, side by side")],
    figure: Annotated[Path | None, typer.Option(metavar="FILE", help="draw them: .png, .pdf or .svg")] = None,
    own: Annotated[bool, typer.Option("--own", help="use a file's own tags where it has any")] = False,
) -> None:
    """What sets of prompts cover, side by side: patterns, kinds, interactions, lengths, words.

    All are tagged by the same rules, so that their shares can be compared; the rules are ours, not VMBench's.
    """
    from beholder.video.prompts import figure as figures
    from beholder.video.prompts import files, tagger
    from beholder.video.prompts.coverage import coverage, table

    if figure is not None:
        figures.check_suffix(figure)
    sets = {}
    for one in prompts:
        name, path = _named(one)
        if name in sets:
            raise Misuse(f"got two sets with the name {name!r}; give them names: NAME=PROMPTS")
        entries = files.read(path)
        sets[name] = [entry if own and entry.pattern else tagger.tag(entry) for entry in entries]
    typer.echo(table({name: coverage(entries) for name, entries in sets.items()}))
    if figure is not None:
        figures.save(sets, figure)
        typer.echo(figure)


def _named(said: str) -> tuple[str, Path]:
    """A set's name, which is by default its folder's or file's, and where it is."""
    name, mark, rest = said.partition("=")
    if mark and not Path(said).exists():
        return name, Path(rest)
    path = Path(said)
    plain = path.stem if path.suffix else path.name
    return (path.absolute().parent.name if plain in ("prompts", "full_info") else plain), path


@app.command()
def tag(
    prompts: Prompts,
    out: Out,
    style: Style = "vmbench",
    fresh: Fresh = False,
) -> None:
    """Tag prompts with pattern, interaction and kind by our rules, and write them as VMBench's or VBench's file."""
    from beholder.video.prompts import files, tagger
    from beholder.video.prompts.coverage import coverage, table

    styles = _styles(style)
    _elsewhere(prompts, out)
    entries = tagger.tags(files.read(prompts))
    with files.whole_set(out, fresh=fresh) as draft:
        name = files.write(entries, draft, styles=styles)[0].name
    typer.echo(f"{table({'tagged by our rules': coverage(entries)})}\n\n{out / name}")


@app.command()
def convert(prompts: Prompts, out: Out, style: Style = "vmbench", fresh: Fresh = False) -> None:
    """Write prompts as VMBench's files or VBench's (full_info.json); tags stay as they are."""
    from beholder.video.prompts import files

    styles = _styles(style)
    _elsewhere(prompts, out)
    entries = files.read(prompts)
    with files.whole_set(out, fresh=fresh) as draft:
        names = [path.name for path in files.write(entries, draft, styles=styles)]
    for name in names:
        typer.echo(out / name)
