"""How well maps, densities and scanpaths agree with where people looked."""
