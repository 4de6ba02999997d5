"""The routes of runs: their list, their matches and reports, exports, scores, and how they are held."""
