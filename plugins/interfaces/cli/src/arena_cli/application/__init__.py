"""The group of all commands, and what they share: options, runs as they are named, what is not installed."""
