"""Two models side by side in a notebook."""

from beholder.reports.comparison.notebook.card import card as comparison

__all__ = ["comparison"]
