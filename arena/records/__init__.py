"""Hold results: frozen records with their JSON, one file per feature."""
