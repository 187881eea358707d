"""What of attention can be shown in a study: gaze over pictures and films, and maps."""
