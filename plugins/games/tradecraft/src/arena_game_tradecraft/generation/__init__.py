"""Generates problems and grades them with the solver."""
