"""The routes of seats and of links to them, and of those who take part in a study."""
