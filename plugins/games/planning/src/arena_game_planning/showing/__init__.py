"""What a player and a person see of a task: texts, boards, and what can be touched."""
