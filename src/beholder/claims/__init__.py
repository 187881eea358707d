"""What papers claim beside what comes out here: docs/claims.md is made of these."""
