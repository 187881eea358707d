"""Networks behind the deep backend, from weights that the user has."""
