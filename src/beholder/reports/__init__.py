"""Views of (table, verdict), one file each."""
