"""Answers of attention models in files: maps, scanpaths, forecasts, and those that lie beside a dataset."""
