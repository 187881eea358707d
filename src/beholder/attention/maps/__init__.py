"""Maps over a picture: of fixations, densities, features, and small ones that are kept of every picture."""
