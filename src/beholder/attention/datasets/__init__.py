"""Test datasets of attention, one file each."""
