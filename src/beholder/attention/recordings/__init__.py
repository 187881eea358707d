"""From files of raw gaze and of fixations to trials and paths: what `beholder gaze`, datasets and models read."""
