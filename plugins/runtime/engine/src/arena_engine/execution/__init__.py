"""All matches of a run: executors, judges, control, replay."""
