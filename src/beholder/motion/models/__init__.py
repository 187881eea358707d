"""Motion estimators, one file each."""
