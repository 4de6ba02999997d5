"""The rules: the map, positions, orders and how they are read, and an exact, fast adjudicator."""
