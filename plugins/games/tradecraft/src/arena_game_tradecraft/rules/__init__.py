"""Rule sets: items, tags and recipes, as they are read, generated and crafted by."""
