"""Benchmarks of attention: where people look."""
