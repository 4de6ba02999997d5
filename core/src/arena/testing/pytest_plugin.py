"""Fixtures for plugin authors; pytest finds them through its own entry point."""
