"""Datasets of prompts, clips and corrupted clips, one file each."""
