"""Play games for a server that hands them out."""
