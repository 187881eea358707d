"""What is raised when the caller, not a model, is at fault: the command prints it and exits with code 2."""


class Misuse(ValueError):
    """Wrong input: the sentence says what was got, what was expected and what to do."""


class NotFound(Misuse, LookupError):
    """No such name; the sentence holds the nearest one."""


class NeedsDataset(Misuse):
    """This benchmark has no built-in dataset: one must be named."""
