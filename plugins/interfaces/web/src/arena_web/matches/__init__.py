"""The routes of matches: what a match and a turn show, as a view has them."""
