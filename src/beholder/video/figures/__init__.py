"""Pictures of clips, of what was found in them, and of whole benchmarks."""
