"""Datasets of attention, one file each."""
