"""Copy the runs of a store to another one."""
