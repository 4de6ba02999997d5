"""Tasks of planning: shipped, from folders, or disguised; whether a plan solves one, and the event that says so."""
