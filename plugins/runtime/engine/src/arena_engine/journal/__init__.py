"""Stores everything that a run computed or paid for, and reads it again."""
