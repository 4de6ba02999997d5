"""Many processes: those that play the matches of a run, and those in which single players live."""
