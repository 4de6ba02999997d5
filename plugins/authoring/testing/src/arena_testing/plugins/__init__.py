"""Proves that plugins of the other kinds keep their contracts."""
