"""Play one game again in the debugger."""
