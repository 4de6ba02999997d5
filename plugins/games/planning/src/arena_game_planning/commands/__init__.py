"""The commands ``arena planning-tasks`` and ``arena validate-plan``, with what only they need."""
