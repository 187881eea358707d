"""Disparity estimation against ground truth, by region."""
