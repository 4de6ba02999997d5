"""The commands ``arena tradecraft-problems`` and ``arena tradecraft-rules``, with what only they need."""
