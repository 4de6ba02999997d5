"""What everything else stands on: child processes, the log of a run, redaction, JSON values, where code comes from."""
