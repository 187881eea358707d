"""Models of where people look, one file each."""
