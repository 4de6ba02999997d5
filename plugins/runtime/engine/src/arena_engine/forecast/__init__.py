"""Estimates the calls, tokens, cost and time of a run before any model is asked."""
