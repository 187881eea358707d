"""Scanpaths: compared in pairs, blind ones, in search, and how long models look."""
