"""People as yardsticks: the ceiling, the gold standard, shuffled controls."""
