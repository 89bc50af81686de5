"""How work is spread: the contract in ``base``, one executor a file."""
