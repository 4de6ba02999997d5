"""A module that cannot be imported."""

raise RuntimeError("no engine here")
