"""Records as text: ``page`` says what is shown of a record, the others how."""
