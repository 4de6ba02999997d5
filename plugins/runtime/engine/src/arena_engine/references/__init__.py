"""References: what random play earns in games, played once and kept, and what a journal says of its games."""
