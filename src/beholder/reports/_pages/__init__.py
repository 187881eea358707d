"""The pages of the HTML report: what stands on the front page, on that of a benchmark, and how they become files."""
