"""From gaze samples to fixations and saccades, and how the eye moves."""
