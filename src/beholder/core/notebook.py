"""How things show themselves in a notebook: each by its view in `reports/notebook/`."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def html_of(view: str, thing: Any) -> str:
    """A thing as a piece of HTML. Views stand above all that they show, so they are found by their path, when asked."""
    found: str = getattr(import_module(f"beholder.reports.notebook.{view}"), view)(thing)
    return found
