"""Agents to measure others against."""
