"""The corruption suite: 21 kinds of change to a clip, at six severities."""
