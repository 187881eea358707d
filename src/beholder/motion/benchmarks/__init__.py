"""Benchmarks of motion, one file each."""
