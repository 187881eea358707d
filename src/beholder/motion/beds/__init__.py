"""Test beds of motion, one file each."""
