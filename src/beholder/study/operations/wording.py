"""Numbers with their nouns."""


def count_of(many: int, noun: str) -> str:
    """A number of things.

    >>> count_of(1, "session"), count_of(2, "session")
    ('1 session', '2 sessions')
    """
    return f"{many} {noun}{'' if many == 1 else 's'}"
