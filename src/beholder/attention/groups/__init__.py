"""Two groups of people compared by how they look, for `beholder groups`: only `attention/commands.py` imports it."""
