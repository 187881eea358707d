"""Clips and keypoints in files: containers, GIFs, folders of frames, arrays."""
