"""Test datasets of motion, one file each."""
