"""Disparity estimators, one file each."""
