"""What is found out: frozen records with their JSON, one file a feature."""
