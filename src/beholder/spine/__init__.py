"""The spine: dataset → Sample → model → accept → readout → criterion → measure → rows → judge. Knows no domain."""
