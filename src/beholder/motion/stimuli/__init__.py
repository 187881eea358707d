"""Stimuli drawn analytically, in degrees, seconds and cd/m²."""
