"""One match: where it starts, what may be done and looked up, and what becomes of it."""
