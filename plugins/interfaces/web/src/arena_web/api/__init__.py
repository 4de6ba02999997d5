"""What one server shows and to whom, and what a route is."""
