"""How a direction or a response runs over time and over conditions: series, checks, decays and their fits."""
