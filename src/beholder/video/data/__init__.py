"""Numbers that VMBench prints; README.md says whose they are."""
