"""Asking people on the web: pages, the answers that are kept, who is shown what."""
