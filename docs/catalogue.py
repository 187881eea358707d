"""docs/reference/catalogue/: a page for each domain and kind, made from the cards that `beholder show` prints."""

from __future__ import annotations

import re
from collections.abc import Iterator

from beholder.registry.catalogue import inside, places, shown_in

GENERATED = "<!-- written by ./do docs; do not edit -->"
FACT = re.compile(
    r"^(?:([a-z_]{2,9}) *(?<=^.{9})|([a-z_]{10,})) (\S.*)$"
)  # a key, padded to nine letters, and its value
PICTURES = {  # at the top of a page: the picture, and what it shows
    "motion.datasets": ("motion/classical.png", "Eight of the movies of `classical`, over time."),
    "motion.measures": (
        "motion/mean_course_of_diamonds.png",
        "What `diamond_dynamics` fits: direction errors over time.",
    ),
    "motion.models": (
        "motion/probes.png",
        "What models, the truth and (simulated) observers say at the probes of one frame.",
    ),
    "attention.models": (
        "attention/looks.png",
        "Four maps of salience beside the fixations; the observers are simulated.",
    ),
    "attention.measures": (
        "attention/walks.png",
        "Scanpaths of five models; below, saccades as `multimatch` aligns them.",
    ),
    "attention.datasets": ("attention/saccade_amplitudes.png", "Saccade amplitudes of people and models."),
}


def pages() -> dict[str, str]:
    """Every page of the catalogue by its file name."""
    filled = {place: names for place in places() if (names := inside(place))}
    return {"index.md": _index(filled)} | {file_of(place): _page(place, names) for place, names in filled.items()}


def file_of(place: str) -> str:
    """The page on which the cards of a place stand."""
    return f"{place.replace('.', '-')}.md"


def _index(filled: dict[str, list[str]]) -> str:
    head = [
        *(GENERATED, "# Catalogue", ""),
        "The card of everything there is, as `beholder show NAME` prints it: what it is, formula, range, ties,",
        *("settings, source.", "", "| domain | kind | how many | names |", "|---|---|---|---|"),
    ]
    return "\n".join([*head, *(_listed(place, names) for place, names in filled.items()), ""])


def _listed(place: str, names: list[str]) -> str:
    domain, _, kind = place.rpartition(".")
    short = ", ".join(f"`{name}`" for name in names[:6]) + (" …" if len(names) > 6 else "")
    return f"| {domain or 'any'} | [{kind}]({file_of(place)}) | {len(names)} | {short} |"


def _page(place: str, names: list[str]) -> str:
    cards = {name: shown_in(place, name) for name in names}
    lines = [GENERATED, f"# {_title(place)}", ""]
    if place in PICTURES:
        file, says = PICTURES[place]
        lines += [f"![{says}](../../pictures/{file})", "", f"*{says}*", ""]
    lines += ["| name | what it is |", "|---|---|"]
    lines += [f"| [`{name}`](#{anchor(name)}) | {_first_sentence(text)} |" for name, text in cards.items()]
    for name, text in cards.items():
        lines += ["", f"## {name} {{#{anchor(name)}}}", "", *_card(text)]
    return "\n".join([*lines, ""])


def _title(place: str) -> str:
    domain, _, kind = place.rpartition(".")
    return f"{domain.capitalize()}: {kind}" if domain else kind.capitalize()


def anchor(name: str) -> str:
    """What a link to a card ends with."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def _first_sentence(text: str) -> str:
    opening = " ".join(_said(text)[0].split()) if _said(text) else ""
    found = re.match(r"(.+?[.?!])(?:\s+[A-Z]|$)", opening)
    return escaped(found[1] if found else opening).replace("|", "\\|")


def _said(text: str) -> list[str]:
    """The paragraphs of a card between its title and its facts."""
    return [part for part in re.split(r"\n\s*\n", text)[1:] if not _facts(part)]


def _facts(part: str) -> list[tuple[str, str]]:
    """The rows of a paragraph that is a list of facts; none if it is prose."""
    found = [FACT.match(line) for line in part.splitlines()]
    return [(one[1] or one[2], one[3]) for one in found if one] if all(found) else []


def _card(text: str) -> Iterator[str]:
    for part in re.split(r"\n\s*\n", text)[1:]:
        if rows := _facts(part):
            yield from ("", "| | |", "|---|---|", *(f"| {key} | {_cell(value)} |" for key, value in rows))
        else:
            yield from ("", *prose(part))


def _cell(value: str) -> str:
    return escaped(value).replace("|", "\\|")


def prose(part: str) -> list[str]:
    """A paragraph of a docstring as Markdown: sessions and formulas stay as they are."""
    if part.lstrip().startswith(">>>"):
        return ["```pycon", part, "```"]
    if all(line.startswith("    ") for line in part.splitlines()):
        return ["```text", part, "```"]
    return [escaped(part)]


def escaped(text: str) -> str:
    """Text in which Markdown finds no mark-up but code in backticks."""
    pieces = re.split(r"(`+[^`]+`+)", text)
    return "".join(piece if at % 2 else re.sub(r"([\\*_<\[\]#])", r"\\\1", piece) for at, piece in enumerate(pieces))
