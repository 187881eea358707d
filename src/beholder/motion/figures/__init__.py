"""Pictures of motion: courses of the direction error, overviews, perceived flow, percepts over time."""
