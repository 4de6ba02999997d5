"""All matches of a run: planning, executors, judges, replay."""
