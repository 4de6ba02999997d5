"""Says what a run will take."""
