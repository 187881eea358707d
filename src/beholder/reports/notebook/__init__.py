"""What a notebook shows of a benchmark, scores, a verdict, a comparison, a sample: small, without scripts."""
