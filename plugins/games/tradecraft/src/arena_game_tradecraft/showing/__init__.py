"""What people and models see of a match: texts, scenes, pictures, and what can be touched."""
