"""From samples of gaze to fixations and saccades, and what can be said of how the eye moves."""
