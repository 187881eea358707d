"""Running a study for real: checked, watched, tried out, exported, backed up, and deleted in the end."""
