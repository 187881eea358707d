"""What people's answers in a study say: tables, intervals, agreement, effects, and the sentences about them."""
