"""What runs in worker processes, so that no game's code runs in the server."""
