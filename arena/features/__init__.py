"""Define what arena does: one folder for each word that a user types."""
