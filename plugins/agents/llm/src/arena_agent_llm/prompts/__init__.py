"""Makes the messages that a model gets: styles, their parts, and what they tell of the match."""
