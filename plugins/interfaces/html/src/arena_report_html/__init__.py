"""The portable report."""
