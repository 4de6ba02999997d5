"""Games with dice."""
