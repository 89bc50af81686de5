"""Continue an interrupted run."""
