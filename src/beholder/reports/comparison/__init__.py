"""Views of two models side by side, one file each."""
