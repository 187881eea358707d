"""Asking people, whatever the domain: what they say of items, and how far measures agree with it."""
