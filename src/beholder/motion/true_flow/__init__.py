"""Optical flow with ground truth: what is known of it, in which parts it is scored, how folders hold it, and layers."""
