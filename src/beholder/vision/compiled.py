"""Loops that must be loops: `beholder.compiled`, which stands where the rooms beside this one find it as well."""

from beholder.compiled import compiled

__all__ = ["compiled"]
