"""Generators of simple clips, and measures as models, one file each."""
