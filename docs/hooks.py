"""What MkDocs asks while it builds the site: pages that are made here, and links that lead out of docs/."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

HERE = Path(__file__).parent
ROOT = HERE.parent
GALLERY = ROOT / ".gallery"  # made by docs/gallery.py
BESIDE = {  # pages that stand elsewhere in the repository, and where the site has them
    "benchmarks/CALIBRATION.md": "measured/calibration.md",
    "benchmarks/RESULTS.md": "measured/speed.md",
    "benchmarks/STUDY_COVERAGE.md": "measured/study-coverage.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "CHANGELOG.md": "project/changelog.md",
}


def on_config(config: Any) -> Any:
    """The navigation gets what is found: cards, notebooks, and the pages beside docs/."""
    places = sorted(path.stem for path in (HERE / "reference" / "catalogue").glob("*.md") if path.stem != "index")
    cards = [{stem.replace("-", ": ").capitalize(): f"reference/catalogue/{stem}.md"} for stem in places]
    _entry(_entry(config.nav, "Reference"), "Catalogue").extend(cards)
    notebooks = [{path.stem.capitalize(): f"notebooks/{path.stem}.md"} for path in _notebooks()]
    if notebooks:
        _entry(config.nav, "Tutorials").append({"Notebooks": notebooks})
    measured = {
        "Calibration": "measured/calibration.md",
        "Coverage of a study's intervals": "measured/study-coverage.md",
        "Speed": "measured/speed.md",
    }
    project = [{"Measured": [{title: page} for title, page in measured.items()]}]
    project += [{"Contributing": "project/contributing.md"}, {"Changes": "project/changelog.md"}]
    config.nav.append({"Project": project})
    return config


def on_files(files: Files, config: Any) -> Files:
    """Pages and pictures that lie outside docs/ or are made of something else."""
    for source, page in BESIDE.items():
        files.append(File.generated(config, page, content=_relinked((ROOT / source).read_text("utf-8"), source, page)))
    for path in _notebooks():
        text, pictures = notebook_page(path)
        files.append(File.generated(config, f"notebooks/{path.stem}.md", content=text))
        for name, content in pictures.items():
            files.append(File.generated(config, f"notebooks/{name}", content=content))
    for path in sorted(GALLERY.glob("shown/**/*")) if GALLERY.exists() else []:
        if path.is_file():
            at = path.relative_to(GALLERY / "shown").as_posix()
            files.append(File.generated(config, f"reports/{at}", abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links out of docs/ lead to where the site has that page; the gallery lists the reports that were made."""
    if page.file.src_uri == "gallery.md":
        listed = GALLERY / "gallery.md"
        found = (
            listed.read_text("utf-8")
            if listed.exists()
            else "*No report was made in this build: `./do docs` makes them.*"
        )
        return markdown.replace("<!-- gallery -->", found)
    return _relinked(markdown, f"docs/{page.file.src_uri}", page.file.src_uri)


def _relinked(text: str, source: str, page: str) -> str:
    """A page's text, as it stands at `source` in the repository, with links that hold at `page` of the site."""

    def link(found: re.Match[str]) -> str:
        target, _, anchor = found[1].partition("#")
        meant = _normal(Path(source).parent / target)
        if meant in BESIDE:
            there = BESIDE[meant]
        elif not source.startswith("docs/") and meant.startswith("docs/"):
            there = meant.removeprefix("docs/")
        else:
            return found[0]
        up = "../" * page.count("/")
        return f"]({up}{there}{'#' * bool(anchor)}{anchor})"

    return re.sub(r"\]\(([^)\s:]+)\)", link, text)


def _normal(path: Path) -> str:
    parts: list[str] = []
    for part in path.parts:
        if part == "..":
            parts = parts[:-1]
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def _entry(nav: list[Any], title: str) -> list[Any]:
    return next(one[title] for one in nav if isinstance(one, dict) and title in one)


def _notebooks() -> list[Path]:
    return sorted((HERE / "notebooks").glob("*.ipynb"))


def notebook_page(path: Path) -> tuple[str, dict[str, bytes]]:
    """An executed notebook as Markdown, and the pictures in it by their names."""
    import json

    lines, pictures = [f"*[{path.name}]({path.name}) as it ran.*", ""], {}
    for at, cell in enumerate(json.loads(path.read_text("utf-8"))["cells"]):
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            lines += [source, ""]
            continue
        lines += ["```python", source, "```", ""]
        for number, output in enumerate(cell.get("outputs", [])):
            name = f"{path.stem}-{at}-{number}.png"
            shown, picture = _output(output, name)
            lines += [*shown, ""]
            pictures |= {name: picture} if picture else {}
    title = next((at for at, line in enumerate(lines) if line.startswith("# ")), None)
    if title is not None:  # the note stands below the title
        head, rest = lines[title].split("\n", 1) if "\n" in lines[title] else (lines[title], "")
        lines = [head, "", lines[0], "", rest, *lines[1:title], *lines[title + 1 :]]
    return "\n".join(lines), pictures


def _output(output: dict[str, Any], name: str) -> tuple[list[str], bytes]:
    """One output of a cell: a picture, our own HTML, or text."""
    import base64

    data = output.get("data", {})
    if "image/png" in data:
        return [f"![output]({name})"], base64.b64decode("".join(data["image/png"]))
    if "text/html" in data:
        return ['<div class="output">', re.sub(r"\n\s*\n", "\n", "".join(data["text/html"])), "</div>"], b""
    text = "".join(output.get("text", data.get("text/plain", [])))
    return (["```text", text.rstrip(), "```"] if text else []), b""
