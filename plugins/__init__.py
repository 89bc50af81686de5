"""Arena's own plugins, on the hooks that all plugins use."""
