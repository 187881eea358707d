"""Evaluation models: score table → Verdict, one file each. They know no domain and run no model."""
