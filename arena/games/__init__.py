"""The families of games that come with arena, one file each."""
