"""What a power knows of a position, and reports of it."""
