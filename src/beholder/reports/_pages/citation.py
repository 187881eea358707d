"""How to cite Beholder itself: from the metadata of the installed package."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, metadata, version


def citation() -> str:
    """BibTeX of the version that made the page."""
    try:
        about, number = metadata("beholder"), version("beholder")
        said, author = str(about["Summary"] or ""), str(about["Author"] or about["Author-email"] or "")
    except PackageNotFoundError:  # run from a folder of sources
        said, number, author = "", "0", ""
    return (
        f"@software{{beholder,\n  title = {{Beholder: {said.rstrip('.')}}},\n"
        f"  author = {{{author or 'The Beholder authors'}}},\n  version = {{{number}}}\n}}"
    )
