"""Two models side by side as Python shows them: a card for a notebook, and a figure."""
