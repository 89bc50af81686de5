"""Arena's own plugins, on the hooks that anybody's use."""
