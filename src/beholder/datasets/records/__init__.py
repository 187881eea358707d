"""One file per dataset: where it comes from, what may be done with it, and how its bytes are verified."""
