"""Video: whether the motion in clips is right to people's eyes."""
