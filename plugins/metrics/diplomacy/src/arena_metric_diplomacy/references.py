"""Placeholder."""
def reference_rows(*a): return []
