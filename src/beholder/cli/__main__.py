"""`python -m beholder.cli`, where the command is not on the path."""

from beholder.cli import main

main()
