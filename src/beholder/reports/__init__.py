"""Views of sections (scores, verdicts, notes, facts), one file each."""
