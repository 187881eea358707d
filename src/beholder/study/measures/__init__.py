"""How far a measure agrees with people."""
