"""A person as an agent."""
