"""The training recipe of commonsense adherence: preferences, a ranking, five levels, a head, a held-out score."""
