"""Runs and matches followed while they are played."""
