"""run() and what the command does around it: plan, execute, draw, record, and what reports read."""
