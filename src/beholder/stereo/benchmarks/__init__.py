"""Benchmarks of stereo, one file each."""
