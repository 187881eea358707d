"""Figures of scores, verdicts, comparisons and samples, as matplotlib objects: bh.plot."""
