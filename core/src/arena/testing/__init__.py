"""Conformance checks and fixtures, shipped for plugin authors."""
