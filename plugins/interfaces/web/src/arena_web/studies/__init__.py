"""Studies with people as players: what their files say, what participants have given, and tables of it."""
