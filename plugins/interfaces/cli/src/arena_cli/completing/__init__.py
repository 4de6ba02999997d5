"""Completes command lines in shells, by an index of what is installed, without importing commands or plugins.

A shell calls ``arena`` with the line in its environment. ``answer`` prints what may follow; ``index`` makes the index
anew when what is installed has changed; ``candidates`` is the grammar of a command line.
"""
