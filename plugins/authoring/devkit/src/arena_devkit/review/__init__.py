"""The review behind ``arena check``.

A plugin's code runs in child processes with a time limit: a plugin that ends its process, crashes it or never returns
is a finding like any other.
"""
