"""Benchmarks of measures against people."""
