"""What tries the walls on this machine, and tells what it found."""
