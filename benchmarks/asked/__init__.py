"""Positions of random matches in which a model is asked by one prompt and by another, and what is found."""
