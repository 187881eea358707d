"""Answers of attention models in files: maps, scanpaths, forecasts, and those that come with a dataset."""
