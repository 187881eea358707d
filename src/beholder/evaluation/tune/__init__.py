"""A search for the settings of a model that score best."""
