"""Prompts that ask for motion: made from vocabularies, checked, reviewed, counted."""
