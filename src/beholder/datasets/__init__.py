"""Datasets by name: a record of each, and how it is fetched, verified and found again. Loaders are in the domains."""
