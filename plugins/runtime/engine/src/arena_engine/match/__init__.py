"""Plays one match: the referee, its players, and simulated matches that leave no journal."""
