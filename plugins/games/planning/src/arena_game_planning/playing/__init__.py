"""The game of planning and its matches."""
