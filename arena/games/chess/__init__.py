"""Chess: the rules, positions as FEN, and moves in standard algebraic notation."""
