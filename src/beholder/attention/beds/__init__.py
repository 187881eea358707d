"""Test beds of attention, one file each."""
