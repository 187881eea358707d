"""Scenes in depth: surfaces, views from other places, all pairs of a scene."""
