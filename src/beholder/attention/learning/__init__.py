"""How the shipped parameters were learnt: `python -m beholder.attention.learning` writes the files of `learnt`.

Seeded: on the same machine the files come out byte for byte.
"""
