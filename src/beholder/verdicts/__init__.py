"""What judges and reports share: components, intervals, skill, agreement, wording."""
