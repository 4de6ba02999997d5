"""Draws positions and orders as SVG and PNG."""
