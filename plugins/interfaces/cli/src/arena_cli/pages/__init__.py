"""Shows plugins, games and matches, one page each."""
