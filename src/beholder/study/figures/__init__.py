"""Pictures of how measures and people agree."""
