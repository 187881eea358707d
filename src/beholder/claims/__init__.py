"""What papers claim beside what comes out here: docs/explanation/claims.md is made of these."""
