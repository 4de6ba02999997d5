"""The game ``diplomacy-facts``, which asks about one position."""
