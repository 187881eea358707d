"""The spine: bed → Sample → model → accept → readout → criterion → measure → rows → judge. Knows no domain."""
