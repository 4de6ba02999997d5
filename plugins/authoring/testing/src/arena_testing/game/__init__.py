"""Proves that a game keeps its contract."""
