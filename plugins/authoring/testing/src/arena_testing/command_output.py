"""Reads what the command line printed."""

import re


def unwrapped(status: str) -> str:
    """What a command wrote to standard error, with each sentence in one line however narrow the screen was."""
    return re.sub(r"\n {2,}(?=\S)", " ", status)
