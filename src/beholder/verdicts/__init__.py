"""What judges and reports share: components, layout, summary, intervals, best, skill, agreement, drawing, wording."""
