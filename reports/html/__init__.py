"""Records as pages for a browser: one file each, which stands alone."""
