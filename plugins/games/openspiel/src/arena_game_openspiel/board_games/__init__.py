"""Board games in which both players see everything."""
