"""Measures of motion, by family."""
