"""A language model as an agent."""
