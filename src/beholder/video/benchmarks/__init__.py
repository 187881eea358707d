"""Benchmarks of video, one file each."""
