"""What a server holds while it runs: runs, reports, positions, feeds, seats, and processes that compute."""
