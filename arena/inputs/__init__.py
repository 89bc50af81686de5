"""Find what users name: games, players, openings, entrants and contests."""
