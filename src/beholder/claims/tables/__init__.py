"""The tables that papers print on real sets, beside ours: docs/explanation/published-tables.md is made of these."""
