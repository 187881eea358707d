"""Measures of motion in video, one family per file: pure functions of evidence."""
