"""From raw gaze in files to a table of fixations, for `beholder gaze`: only `attention/commands.py` imports it."""
