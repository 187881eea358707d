"""Observers who know the truth or the facts: the oracles of the motion benchmarks."""
