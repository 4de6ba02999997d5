"""A provider of models on this machine, with its latency, its limits, its troubles, and a log of its own."""
