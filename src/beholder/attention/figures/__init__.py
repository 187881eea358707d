"""Pictures of attention, of a sample (looks, paths, forecasts) and of a run (overview…): benchmarks hook them in."""
