"""Read and write games as other programs do: PGN and SGF."""
