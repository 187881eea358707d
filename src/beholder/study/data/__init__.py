"""Numbers of real opinions that Beholder carries; README.md says whose they are."""
