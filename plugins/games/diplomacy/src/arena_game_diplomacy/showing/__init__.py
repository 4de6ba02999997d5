"""What people and models see of a match: texts, scenes, and what can be touched."""
