"""Games played by OpenSpiel's engine."""
