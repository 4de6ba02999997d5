"""The process of a command: its guard, who ends it, and the files of its log."""
