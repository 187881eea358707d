"""What a study asks, of whom and about what: the study file, its trials, how many people it takes."""
