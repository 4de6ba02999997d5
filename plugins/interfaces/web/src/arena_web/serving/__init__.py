"""The server: its table of routes, its guard and files, and the commands that start it."""
