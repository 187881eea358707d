"""The pipeline alone: samples, measures, benchmarks, entrants, trials, pooling, scores."""
