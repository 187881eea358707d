"""Measures under test that are not columns of a table, one file each."""
