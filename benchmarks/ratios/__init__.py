"""What all benchmarks share: measuring in turns, ratios with their spread, what was recorded, and the tables."""
