"""Answers by rules, with faults on demand."""
