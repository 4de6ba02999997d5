"""Many worker processes, one driver: what executors share that play a run in several processes."""
