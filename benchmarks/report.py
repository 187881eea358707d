"""How long the report takes to make and to open, and what it weighs: a run, 100,000 rows, 200 models.

    python benchmarks/report.py [RUN…]

The pages are written into a temporary folder and opened from disk in chromium; loading ends when the page is drawn.
Rows are counted as shown when the table of all rows, which waits until somebody comes near, has drawn its first ones.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from beholder.core.scores import Score, table
from beholder.evaluation.record import Run, read
from beholder.evaluation.sections import sections
from beholder.reports.html import write_pages

OPENED = "performance.getEntriesByType('navigation')[0].loadEventEnd"
NEAR = "document.querySelector('section.rows').scrollIntoView()"
DRAWN = "document.querySelectorAll('section.rows tbody tr').length > 10"


def invented(models: int, units: int) -> Run:
    """A run of one benchmark with invented scores: as many models, one of them the reader's, on as many units."""
    rng = np.random.default_rng(0)
    roles = {"mine": "model"} | {f"model_{at:03d}": "baseline" for at in range(models - 1)} | {"flat": "blind"}
    same = ("bad", "", "", "all", "lower")
    rest = (np.nan, np.nan, 1, "ok", "", "")
    rows = [
        Score("stereo/dense", 1, name, role, "toy", f"u{u:05d}", 0, *same, value, *rest)
        for at, (name, role) in enumerate(roles.items())
        for u, value in enumerate(rng.gamma(2.0, 4.0 + at / 50, size=units).tolist())
    ]
    card = {"name": "bad", "settings": "", "label": "bad", "better": "lower", "bounds": ["0", "inf"], "unit": "%"}
    card |= {"per": "sample", "person": None, "cite": "", "official": True, "text": "", "deviations": []}
    dataset = {"name": "toy", "fingerprint": "", "samples": units, "of": units, "ids": None}
    dataset |= dict.fromkeys(("licence", "cite", "about", "status"), "")
    facts: dict[str, Any] = {"name": "stereo/dense", "version": 1, "about": "", "official": ["bad"], "unjudged": []}
    facts |= {"judges": ["mean_score"], "datasets": [dataset], "measures": [card]}
    run: dict[str, Any] = {"benchmarks": [facts], "versions": {}, "beholder": ""}
    return Run(Path("invented"), table(rows), run)  # type: ignore[arg-type]


def measure(name: str, runs: Sequence[Run], browser: Any) -> None:
    """One line: what the pages of some runs weigh, and how fast they are made and opened."""
    with tempfile.TemporaryDirectory() as folder:
        found = sections(runs, near=Path(folder))
        started = time.perf_counter()
        written = write_pages(found, Path(folder) / "report.html")
        made = time.perf_counter() - started
        tell(
            f"{name}, made in {made:.1f} s, {written.size / 1e6:.1f} MB in {len(written.files)} files",
            written.page,
            browser,
        )
        for page in sorted(written.files, key=lambda file: -file.stat().st_size if file.suffix == ".html" else 0)[:1]:
            if page != written.page:
                tell(f"  its largest page, {page.name}", page, browser)


def tell(what: str, page: Path, browser: Any) -> None:
    """A page's weight and loading time."""
    tab = browser.new_page(viewport={"width": 1280, "height": 900})
    tab.goto(page.as_uri())
    tab.wait_for_function(f"{OPENED} > 0")
    line = f"{what}: {page.name} is {page.stat().st_size / 1e3:.0f} kB and opens in {tab.evaluate(OPENED) / 1000:.2f} s"
    if tab.locator("section.rows").count():
        started = time.perf_counter()
        tab.evaluate(NEAR)
        tab.wait_for_function(DRAWN)
        line += f"; all its rows are there after {time.perf_counter() - started:.2f} s more"
    print(f"{line}; {tab.evaluate('document.documentElement.scrollHeight'):,} px tall", flush=True)
    tab.close()


def main() -> None:
    """Print a line for each."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="*", type=Path, metavar="RUN", help="folders of runs")
    asked = parser.parse_args()
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for folder in asked.runs:
            measure(folder.name, [read(folder)], browser)
        measure("100,000 rows", [invented(19, 5000)], browser)
        measure("200 models", [invented(200, 20)], browser)


if __name__ == "__main__":
    main()
