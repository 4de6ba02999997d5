"""Reads what a model says: an action, a query, or a refusal that says what is wrong."""
