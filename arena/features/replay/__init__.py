"""Show one game again."""
