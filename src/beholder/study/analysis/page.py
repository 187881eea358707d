"""An analysis as files: a page in markdown and HTML, its figures, and tidy tables."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator, Sequence
from html import escape as in_html
from pathlib import Path
from typing import TYPE_CHECKING, Any

from beholder.core.scores import escape
from beholder.io.atomic import write_whole
from beholder.study.analysis import figures, wording
from beholder.study.analysis.tables import Table, tables
from beholder.study.analysis.trials import Estimate

if TYPE_CHECKING:
    from beholder.study.analysis.analyse import Analysis, Findings
    from beholder.study.analysis.ratings import Graded

STYLE = (
    ":root{color-scheme:light dark;--ink:#22282d;--back:#fff;--line:#cfd4d8;--soft:#555;--mark:#b3261e;--shade:#0004}"
    "@media(prefers-color-scheme:dark){:root{--ink:#e4e8eb;--back:#15191c;--line:#3d464d;--soft:#a9b2b9;"
    "--mark:#ff9d94;--shade:#fff8}}"
    "body{font:16px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem;color:var(--ink);"
    "background:var(--back)}h1{overflow-wrap:anywhere}"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}"
    # A shadow at the side where a table goes on: the covers move with it, the shadows stay.
    ".wide{margin:.5rem 0 1rem;overflow-x:auto;"
    "background:linear-gradient(to right,var(--back) 40%,transparent) 0 0/3rem "
    "100% no-repeat local,linear-gradient(to left,var(--back) 40%,transparent) 100% 0/3rem 100% no-repeat local,"
    "linear-gradient(to right,var(--shade),transparent) 0 0/1.2rem 100% no-repeat scroll,"
    "linear-gradient(to left,var(--shade),transparent) 100% 0/1.2rem 100% no-repeat scroll}"
    "th,td{border-bottom:1px solid var(--line);padding:.25rem .9rem .25rem 0;text-align:left;vertical-align:top}"
    "td:not(:first-child){white-space:nowrap}"
    ".figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr));gap:1rem;margin:1rem 0}"
    ".figures figure{margin:0;background:#fff;border-radius:6px;display:flex;align-items:center}"
    "img{width:100%;max-width:100%;background:#fff;border-radius:6px;padding:6px;box-sizing:border-box;display:block}"
    ".answer p:first-child{font-size:1.2rem;font-weight:600}small{color:var(--soft)}.simulated{color:var(--mark)}"
)


def write(analysis: Analysis, folder: Path) -> list[Path]:
    """Write everything into a folder; returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn = {f"{name}.svg": data for name, data in figures.drawn(analysis).items()}
    texts = {
        "analysis.md": markdown(analysis, list(drawn)),
        "analysis.html": html(analysis, list(drawn)),
        "analysis.txt": wording.text(analysis),
        **{f"{name}.csv": _csv(rows) for name, rows in tidy(analysis).items() if rows},
    }
    for name, data in {**drawn, **{name: text.encode() for name, text in texts.items()}}.items():
        write_whole(folder / name, data)
    return [folder / name for name in (*texts, *drawn)]


def markdown(analysis: Analysis, drawn: Sequence[str] = ()) -> str:
    """The page as markdown."""
    pieces = [f"# {_plain(analysis.title)}", " ".join(_plain(said) for said in wording.answer(analysis))]
    pieces += [f"![{_alt(name)}]({name})" for name in drawn]
    for table in tables(analysis):
        rows = [table.head, ["---"] * len(table.head), *table.rows]
        grid = "\n".join(f"| {' | '.join(_plain(cell) for cell in row)} |" for row in rows)
        above, *listed = table.above or ("",)
        pieces += [
            f"## {_plain(table.title)}",
            _plain(above),
            _list(listed),
            grid,
            *([_plain(table.note)] if table.note else []),
        ]
    if apart := wording.deviations(analysis):
        pieces += [f"## {wording.APART}", _list(apart)]
    pieces += [_list(wording.notes(analysis))]
    return "\n\n".join(filter(None, pieces)) + "\n"


def _list(lines: Sequence[str]) -> str:
    return "\n".join(f"- {_plain(line)}" for line in lines)


def _plain(text: str) -> str:
    """Anybody's text in markdown: it makes neither cells nor tags nor links."""
    return "".join(f"\\{sign}" if sign in "|<>[]`*_#\\" else sign for sign in text)


def html(analysis: Analysis, drawn: Sequence[str] = ()) -> str:
    """The page as HTML, with nothing loaded from anywhere but its folder."""
    said = "".join(f"<p>{in_html(one)}</p>" for one in wording.answer(analysis))
    images = "".join(f'<figure><img src="{name}" alt="{in_html(_alt(name))}"></figure>' for name in drawn)
    images = f'<div class="figures">{images}</div>' if images else ""
    parts = "".join(_section(table) for table in tables(analysis))
    notes = _points(wording.notes(analysis))
    apart = wording.deviations(analysis)
    more = f"<h2>{wording.APART}</h2>{_points(apart)}" if apart else ""
    title = in_html(analysis.title)
    mark = ' class="simulated"' if analysis.simulated else ""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" '
        f'content="width=device-width"><title>{title}</title><style>{STYLE}</style></head><body><h1{mark}>{title}</h1>'
        f'<div class="answer">{said}</div>{images}{parts}{more}{notes}</body></html>\n'
    )


def _alt(name: str) -> str:
    return figures.told(name.partition(".")[0])


def _points(lines: Sequence[str]) -> str:
    return f"<ul>{''.join(f'<li>{in_html(line)}</li>' for line in lines)}</ul>" if lines else ""


def _section(table: Table) -> str:
    above, *lines = table.above or ("",)
    said = f"<p>{in_html(above)}</p>{_points(lines)}" if above else ""
    head = "".join(f"<th>{in_html(cell)}</th>" for cell in table.head)
    rows = "".join(f"<tr>{''.join(f'<td>{in_html(cell)}</td>' for cell in row)}</tr>" for row in table.rows)
    note = f"<p><small>{in_html(table.note)}</small></p>" if table.note else ""
    grid = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    scroll = f'<div class="wide" tabindex="0" role="region" aria-label="{in_html(table.title)}">{grid}</div>'
    return f"<h2>{in_html(table.title)}</h2>{said}{scroll}{note}"


def tidy(analysis: Analysis) -> dict[str, list[dict[str, Any]]]:
    """Every number in long tables; the column `sample` says whether the study's rules were applied."""
    every: dict[str, list[dict[str, Any]]] = {}
    samples = [("rules", analysis.kept), ("everybody", analysis.everybody)] if analysis.kept else []
    for sample, found in samples:
        for name, rows in _rows(found) if found else ():
            every.setdefault(name, []).extend({"sample": sample, **row} for row in rows)
    return every


def _rows(found: Findings) -> Iterator[tuple[str, Iterable[dict[str, Any]]]]:
    yield "shares", [_flat(row) for row in found.shares]
    yield "agreement", [_flat(row) for row in found.agreement]
    detected = [("all", "all", found.detected)] if found.detected else []
    detected += [
        (part.stimulus or "all", "all" if part.kind is None else part.kind or "others", part.detected)
        for part in found.parts
    ]
    yield "detection", [{"stimulus": a, "participants": b, **_flat(own)} for a, b, own in detected]
    yield "effects", [_flat(found.spread)] if found.spread else []
    yield "item_shares", [{**_flat(row), "fools": int(row.fools), "told": row.told} for row in found.items]
    yield "differences", [_flat(row) for row in found.contrasts]
    yield "over_the_session", [_flat(row) for row in found.stretches]
    yield "times", [_flat(row) for row in found.times]
    controls = [*(one.called for one in found.controls), *([found.retest.alike] if found.retest else [])]
    yield "controls", [_flat(row) for row in controls]
    yield "people", [_flat(row) for row in found.people]
    yield (
        "systems",
        [{"dimension": ranking.dimension, **_flat(row)} for ranking in found.rankings for row in ranking.systems],
    )
    yield "ratings", [row for one in found.graded for row in _graded(one)]


def _graded(one: Graded) -> Iterator[dict[str, Any]]:
    named = {"area": one.area, "dprime": one.dprime, "alpha": one.alpha}
    for kind, mean in one.means.items():
        cells = {
            name: cell for of, value in {"mean": mean, **named}.items() for name, cell in _three(of, value).items()
        }
        yield {"dimension": one.dimension, "class": kind, **cells}


def _flat(row: Any) -> dict[str, Any]:
    """A named tuple as cells: an estimate is three of them, a tuple within it one for each of its fields."""
    found: dict[str, Any] = {}
    for name, value in row._asdict().items():
        if type(value) is tuple:  # every participant's: they are in the table of people
            continue
        if isinstance(value, Estimate):
            found |= _three(name, value)
        elif hasattr(value, "_asdict"):
            found |= {f"{name}_{inner}": part for inner, part in value._asdict().items()}
        else:
            found[name] = int(value) if isinstance(value, bool) else value
    return found


def _three(name: str, value: Estimate) -> dict[str, float]:
    return {name: value.value, f"{name}_lo": value.lo, f"{name}_hi": value.hi}


def _csv(rows: Sequence[dict[str, Any]]) -> str:
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    names = list(dict.fromkeys(name for row in rows for name in row))
    out.writerow(names)
    out.writerows([_cell(row.get(name, "")) for name in names] for row in rows)
    return text.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:.6g}"
    return escape(value) if isinstance(value, str) else value
