"""What judges and reports share: components, layout, summary, intervals, best set, skill, agreement, drawing, wording."""
