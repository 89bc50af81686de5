"""Share what all commands need: the parser, options, help and output."""
