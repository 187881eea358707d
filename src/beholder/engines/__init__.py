"""Where tasks run: the protocol, in this process, in supervised workers; and what is told meanwhile."""
