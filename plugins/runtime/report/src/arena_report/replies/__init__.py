"""Recorded replies of models, read again: held against what was played, and labelled as cases."""
