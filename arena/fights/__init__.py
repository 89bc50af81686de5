"""Play fights: from two names to a result."""
