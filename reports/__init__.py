"""Show records as text: ``page`` chooses what to show of a record, the others how."""
