"""Test datasets of stereo, one file each."""
