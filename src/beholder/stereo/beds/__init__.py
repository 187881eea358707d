"""Test beds of stereo, one file each."""
