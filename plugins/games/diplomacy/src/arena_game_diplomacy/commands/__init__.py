"""The command ``arena diplomacy``."""
