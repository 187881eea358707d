"""Makes the gallery in .gallery/: the run of each tutorial, its page, and a picture of it where chromium is there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from blocks import Reader, bin_of, blocks, commands

HERE = Path(__file__).parent
GALLERY = HERE.parent / ".gallery"
SHOWN = {  # a tutorial: what its page answers
    "stereo": "Stereo: is my matcher better, and where?",
    "motion": "Motion: does my flow see what people see?",
    "saliency": "Saliency: does my map say where people look?",
    "scanpaths": "Scanpaths: does my model look as people look?",
    "video": "Video: whose motion is right?",
    "opinions": "Measures against people: is my measure worth anything?",
}
SIZE = {"wide": "1400,1000", "phone": "390,1000"}


def made(tutorial: str) -> tuple[Path, str]:
    """The run of a tutorial, and the command that made it; what is there already is not run again."""
    folder = GALLERY / "work" / tutorial
    folder.mkdir(parents=True, exist_ok=True)
    reader = Reader(folder, os.environ | {"PATH": f"{bin_of()}:{os.environ['PATH']}"})
    here = Path.cwd()
    os.chdir(folder)
    try:
        for block in blocks(HERE / "tutorials" / f"{tutorial}.md"):
            if block.language == "sh":
                command = next(line for line in commands(block) if line.startswith("beholder run"))
                reader.sh(f"{command} --quiet || {command} --quiet --fresh")  # of an older Beholder: anew
                return folder / command.split("--out ")[1].split()[0], command
            reader.do(block)
    finally:
        os.chdir(here)
    raise ValueError(f"{tutorial}.md runs nothing")


def show(tutorial: str, run: Path) -> Path:
    """The page of a run, with all that it needs, as the site has it."""
    target = GALLERY / "shown" / tutorial
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for name in ("report.html", "report", "figures", "films"):
        if (run / name).is_dir():
            shutil.copytree(run / name, target / name)
        elif (run / name).exists():
            shutil.copy(run / name, target / name)
    return target / "report.html"


def picture(page: Path, target: Path, size: str = SIZE["wide"]) -> bool:
    """The top of a page as chromium shows it; False where there is no chromium."""
    chromium = shutil.which("chromium")
    if not chromium:
        return False
    flags = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync", "--hide-scrollbars")
    quiet = ("--disable-background-networking", "--disable-component-update", "--virtual-time-budget=4000")
    command = [chromium, *flags, *quiet, f"--window-size={size}", f"--screenshot={target}", page.resolve().as_uri()]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return True


def listed(tutorial: str, command: str, pictured: bool) -> str:
    """How the gallery shows a report. Links are HTML, because these pages are no Markdown."""
    link = f"reports/{tutorial}/report.html"
    image = f'<a href="{link}"><img alt="The report" src="reports/{tutorial}.png"></a>\n' if pictured else ""
    links = f'<a href="{link}">Open the report</a> · [tutorial](tutorials/{tutorial}.md)'
    return f"## {SHOWN[tutorial]}\n\n{image}\n{links}\n\n```text\n{command}\n```\n"


def main() -> None:
    """Make all of it."""
    found = []
    for tutorial in SHOWN:
        run, command = made(tutorial)
        page = show(tutorial, run)
        found.append(listed(tutorial, command, picture(page, GALLERY / "shown" / f"{tutorial}.png")))
        print(page, file=sys.stderr)  # noqa: T201
    (GALLERY / "gallery.md").write_text("\n".join(found), "utf-8")


if __name__ == "__main__":
    main()
