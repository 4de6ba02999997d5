"""What is to be played and how a run is stopped: jobs, limits, the contract of executors, plans, plugin calls."""
