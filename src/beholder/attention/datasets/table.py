"""The dataset `fixations` under the name that it had first; specs and commands that say `table` keep working."""

from beholder.attention.datasets.fixations import fixations as table

__all__ = ["table"]
