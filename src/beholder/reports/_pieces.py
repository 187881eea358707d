"""The pieces of what a notebook shows: escaped wherever they stand, in the colours of the page, light or dark."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from markupsafe import Markup

ROWS = 16  # of a table; a notebook is read, not searched
DARK = ("[data-jp-theme-light=false]", ".vscode-dark", "[data-theme=dark]", "[data-md-color-scheme=slate]")
STYLE = Markup(
    "<style>.bh{{font:13px/1.45 system-ui,sans-serif;overflow-x:auto}}.bh p{{margin:.3em 0;max-width:62em}}"
    ".bh table{{border-collapse:collapse;margin:.4em 0;font:inherit;font-variant-numeric:tabular-nums}}"
    ".bh th,.bh td{{padding:.15em 1.1em .15em 0;text-align:left;vertical-align:top;background:none;color:inherit;"
    "border:0;border-bottom:1px solid rgba(128,128,128,.3)}}.bh tbody tr{{background:none}}"
    ".bh .mine{{color:#b8430b;font-weight:600}}.bh .soft{{opacity:.72}}.bh img{{max-height:11em;margin-right:.5em}}"
    "{}{{color:#ff9d66}}</style>"
).format(Markup(",".join(f"{theme} .bh .mine" for theme in DARK)))


def frame(*pieces: str) -> str:
    """Pieces as one."""
    return Markup('{}<div class="bh">{}</div>').format(STYLE, Markup("").join(filter(None, pieces)))


def answer(text: str, head: str = "") -> Markup:
    """The sentence that stands first."""
    return Markup("<p>{}<b>{}</b></p>").format(soft(f"{head}: ") if head else "", text) if text else Markup("")


def paragraph(text: str) -> Markup:
    """A sentence."""
    return Markup("<p>{}</p>").format(text) if text else Markup("")


def soft(text: str) -> Markup:
    """Words that stand back."""
    return Markup('<span class="soft">{}</span>').format(text)


def note(text: str) -> Markup:
    """A sentence that stands back."""
    return paragraph(soft(text)) if text else Markup("")


def grid(header: Sequence[str], rows: Sequence[Sequence[str]], mine: Collection[str] = ()) -> Markup:
    """A table; rows whose first cell is one of `mine` stand out, and of many rows the first ones stand."""
    kept = [row for at, row in enumerate(rows) if at < ROWS or row[0] in mine]
    head = Markup("<thead><tr>{}</tr></thead>").format(_cells("th", header))
    lines = Markup("").join(
        Markup("<tr{}>{}</tr>").format(Markup(' class="mine"') if row[0] in mine else "", _cells("td", row))
        for row in kept
    )
    more = note(f"… and {len(rows) - len(kept)} more") if len(kept) < len(rows) else ""
    return Markup("<table>{}<tbody>{}</tbody></table>{}").format(head if header else "", lines, more)


def _cells(tag: str, texts: Iterable[str]) -> Markup:
    kind = Markup(tag)
    return Markup("").join(Markup("<{}>{}</{}>").format(kind, text, kind) for text in texts)
