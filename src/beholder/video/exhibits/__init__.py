"""What of video can be shown in a study: generated clips."""
