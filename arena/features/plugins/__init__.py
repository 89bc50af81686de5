"""List the plugins."""
