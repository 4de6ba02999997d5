"""OpenSpiel's engine behind Arena's contract: games, states, and deals drawn again for search."""
