"""Reads benchmark files, composes them, and checks and builds typed benchmarks."""
