"""Card games, and what their tables look like."""
