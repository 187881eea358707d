"""The report as pages that open from disk, without a network: one file, or a front page with a page per benchmark."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from beholder.core.cite import bibtex
from beholder.errors import Misuse
from beholder.reports import _blind, _facts, _notes
from beholder.reports._numbers import duration
from beholder.reports._pages import front, links
from beholder.reports._pages.benchmark import benchmark
from beholder.reports._pages.citation import citation
from beholder.reports._pages.places import subject

if TYPE_CHECKING:
    from jinja2 import Environment

    from beholder.evaluation.sections import Section

FOLDER = "report"  # beside the front page: the pages of benchmarks and their data
MAILED = 25e6  # bytes: what most mail servers take


class Written(NamedTuple):
    """What was written."""

    page: Path  # the one to open
    files: tuple[Path, ...]  # all of them
    size: int  # bytes of all of them


def html(sections: Sequence[Section]) -> str:
    """One page with everything, whose pictures are linked relative to it.

    Names, reasons and sentences are escaped wherever they stand.
    """
    return _one_page(sections, links.beside, folder=None)


def write_pages(sections: Sequence[Section], page: Path, *, single: bool = False) -> Written:
    """Write the report: a page of one benchmark, or a front page with a folder `report/` of the others beside it.

    With `single` all of it becomes one file, pictures included; Misuse where that is too large to be mailed.
    """
    texts = _single(sections, page) if single else _several(sections, page)
    for name, text in texts.items():
        (page.parent / name).parent.mkdir(parents=True, exist_ok=True)
        _write(page.parent / name, text)
    size = sum(len(text.encode()) for text in texts.values())
    return Written(page, tuple(page.parent / name for name in texts), size)


def _write(file: Path, text: str) -> None:
    from beholder.io.atomic import write_whole

    write_whole(file, text)


def _single(sections: Sequence[Section], page: Path) -> dict[str, str]:
    text = _one_page(sections, links.inside(page.parent), folder=page.parent, pictures=False)
    size = len(text.encode())
    if size > MAILED:
        raise Misuse(
            f"one file with all of it would weigh {size / 1e6:.0f} MB, over the {MAILED / 1e6:.0f} MB that mail takes; "
            "send the folder as an archive, or draw fewer samples (beholder run --samples N)"
        )
    return {page.name: text}


def _one_page(sections: Sequence[Section], link: links.Link, *, folder: Path | None, pictures: bool = True) -> str:
    """Front page and benchmarks in one file; of a single benchmark only that."""
    subjects = [subject(section) for section in sections]
    shown = [benchmark(of, at, link, pictures=pictures) for at, of in enumerate(subjects)]
    for one in shown:
        one["href"], one["sources"] = f"#{one['id']}", {}
    hrefs = [one["href"] for one in shown]
    first = front.front(subjects, hrefs, link=link, folder=folder) if len(sections) > 1 else None
    return _page(link, sections, front=first, shown=shown, home="#top", others=shown)


def _several(sections: Sequence[Section], page: Path) -> dict[str, str]:
    """The front page and, in a folder beside it, each benchmark's page and data."""
    alone = len(sections) == 1
    link = links.beside if alone else links.below
    inner = "" if alone else f"{FOLDER}/"
    texts: dict[str, str] = {}
    subjects = [subject(section) for section in sections]
    shown = [benchmark(of, 0, link) for of in subjects]
    for one in shown:
        one["href"] = "#" if alone else f"{one['file']}.html"
        one["sources"] = {kind: f"{one['file']}.{kind}.js" for kind in ("rows", "pairs") if one[kind]}
        for kind, name in one["sources"].items():
            texts[f"{FOLDER}/{name}"] = script(f"{one['file']}/{kind}", one[kind])
            one["sources"][kind] = f"{FOLDER}/{name}" if alone else name
    if alone:
        texts[page.name] = _page(link, sections, front=None, shown=shown, home="#", others=())
        return texts
    hrefs = [inner + _facts.address(one["href"]) for one in shown]
    first = front.front(subjects, hrefs, link=links.beside, folder=page.parent)
    for section, one in zip(sections, shown, strict=True):
        home = f"../{_facts.address(page.name)}"
        texts[inner + one["href"]] = _page(link, [section], front=None, shown=[one], home=home, others=shown)
    texts[page.name] = _page(links.beside, sections, front=first, shown=[], home="#", others=())
    return texts


def _page(link: links.Link, sections: Sequence[Section], **what: Any) -> str:
    env = _environment(link)
    every = bibtex(_facts.cited(sections))
    return env.get_template("report.html.j2").render(
        **what, bibtex=every, cite=_facts.CITE, citation=citation(), blind={"title": _blind.TITLE}
    )


@lru_cache(maxsize=4)
def _environment(link: links.Link) -> Environment:
    """Templates with their filters; one for each way to link, as macros keep the filters that they first met."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("beholder.reports", "templates")
    env = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    env.filters |= {"bounds": _facts.bounds, "dataset_size": _facts.dataset_size, "duration": duration}
    env.filters |= {"data": data, "short": _notes.short, "address": link, "breakable": breakable}
    return env


def breakable(text: str) -> Any:
    """A text in which a line may end after a plus, where names are joined.

    >>> print(breakable("dots+<b>"))
    dots+<wbr>&lt;b&gt;
    """
    from markupsafe import Markup, escape

    return Markup("+<wbr>").join(escape(part) for part in text.split("+"))


def script(key: str, value: Any) -> str:
    """A classic script that puts data where the page looks for them."""
    return f"(window.beholder = window.beholder || {{}})[{data(key)}] = {data(value)};\n"


def data(value: Any) -> Any:
    r"""JSON for a script element: no text in it can end the element or open a comment.

    >>> print(data(["</script><!--", float("1")]))
    ["\u003c/script>\u003c!--",1.0]
    """
    from markupsafe import Markup

    text = dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))
