"""The parts that commands share: the parser, options, help and output."""
