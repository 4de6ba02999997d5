"""Shows results: the verdict, tables, and both as data."""
