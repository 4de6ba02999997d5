"""Completes command lines in shells, by an index of what is installed, without importing commands or plugins."""
