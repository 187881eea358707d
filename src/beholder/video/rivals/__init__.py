"""Networks that others measure video with, as readouts of `measures/deep_rivals.py`: they run only when asked for."""
