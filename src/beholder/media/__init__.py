"""Files ↔ arrays."""
