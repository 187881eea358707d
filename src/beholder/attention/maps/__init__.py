"""Maps over a picture: of fixations, densities, features, and small maps that are kept for every picture."""
