"""Arrays only: bootstrap and other statistics."""
