"""One match: what is asked, said, ordered and seen, phase after phase."""
