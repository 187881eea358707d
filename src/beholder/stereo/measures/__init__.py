"""Measures of stereo, by family."""
