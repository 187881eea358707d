"""What judges and reports share: components, layout, summary, intervals, best sets, skill, agreement, wording."""
