"""The one place for intervals and tests."""
