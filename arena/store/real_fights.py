"""Let the command ``arena fight`` play pairs, to learn how a player really plays.

A player inside one of arena's processes can see what that process does: by the stack, by the
objects in memory, by the command. So an ordinary fight plays its pairs, as a program of its own,
and arena reads them from the store of that fight.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from arena.errors import PlayerFault, UsageError
from arena.fights.pairing import Pairing
from arena.game import Game
from arena.match.record import PlayedPair
from arena.player import PlayerInfo
from arena.player.names import read_named
from arena.plugin.manager import load_catalogue
from arena.proof.responses import RANDOM


def fight_for_real(pairing: Pairing) -> list[PlayedPair] | None:
    """Play the pairs of a pairing by ``arena fight``, and return them all.

    Return None if both players may as well play here: neither is loaded from a file, or the
    command does not know the game or a player. Raises PlayerFault if a pair could not be played.
    """
    players = (pairing.a, pairing.b)
    if not any(player.is_unisolated for player in players):
        return None
    from tempfile import TemporaryDirectory  # few fights have such players

    from arena.player_file.plugin import files_for

    files = files_for(pairing)
    if not _is_known(pairing, files):
        return None
    with TemporaryDirectory() as folder:
        store = Path(folder) / "fight.db"
        problem = _run(files, [*_arguments(pairing), "--store", str(store)])
        return _read(store, pairing, problem)


def random_opponent(
    player: PlayerInfo, game: Game, seed: int
) -> Callable[[PlayerInfo, int], Iterable[PlayedPair] | None]:
    """Return a function that plays the player's real fights against the random opponent only."""

    def play(opponent: PlayerInfo, pairs: int) -> Iterable[PlayedPair] | None:
        if opponent is not RANDOM:
            return None
        return fight_for_real(Pairing(game, player, opponent, pairs, seed))

    return play


def _is_known(pairing: Pairing, files: Sequence[str]) -> bool:
    """Return whether the command finds the same game and the same players by their names."""
    game = pairing.game
    try:
        loaded = load_catalogue(files).game(game.name)
    except UsageError:
        return False
    is_same_game = (type(loaded), loaded.version) == (type(game), game.version)
    return is_same_game and all(map(_has_its_name, (pairing.a, pairing.b)))


def _has_its_name(player: PlayerInfo) -> bool:
    if player.is_unisolated:
        spec = player.spec or player.name
        return os.path.abspath(spec) == player.file and read_named(player.as_named).spec == spec
    return player is RANDOM or (bool(player.package) and not player.isolation)


def _arguments(pairing: Pairing) -> list[str]:
    numbers = ["-n", str(pairing.pairs), "--seed", str(pairing.seed)]
    openings = [] if pairing.openings is None else ["--openings", pairing.openings.name]
    names = [pairing.a.as_named, pairing.b.as_named]
    rules = ["--game", pairing.game.name, "--adjudicate", pairing.adjudication.adjudicate]
    return [*names, *numbers, *rules, "--isolation", "none", *openings]


def _run(files: Sequence[str], arguments: Sequence[str]) -> str:
    """Run ``arena fight``. Return its last error line, or else its exit code."""
    import ctypes  # a fight that plays here takes none of these
    import subprocess

    from arena.sandbox.tiers.locker import die_with

    # A folder with players may have a random.py: Python is not to import it (-P).
    plugins = [word for file in files for word in ("-p", file)]
    command = [sys.executable, "-P", "-m", "arena", *plugins, "fight", *arguments]
    ends_with_this = None
    if sys.platform == "linux":
        ends_with_this = partial(die_with, ctypes.CDLL(None, use_errno=True), os.getpid())
    process = subprocess.run(  # noqa: S603 (no shell: the names are arguments)
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=False,
        preexec_fn=ends_with_this,
    )
    *_, last = ["", *process.stderr.decode(errors="replace").splitlines()]
    return last.removeprefix("arena: ") or f"it ended with exit code {process.returncode}"


def _read(store: Path, pairing: Pairing, problem: str) -> list[PlayedPair]:
    """Return the pairs of the only fight of a store."""
    from arena.store.reading import read_pairs, read_runs
    from arena.store.sql import open_to_read
    from arena.store.void import read_void

    if not store.exists():
        raise PlayerFault(f"arena fight {pairing.a.as_named} {pairing.b.as_named}: {problem}")
    with open_to_read(store).read() as connection:
        (run,) = read_runs(connection)
        (void,) = read_void(connection, run)
        played = list(read_pairs(connection, run.number, 0, pairing))
    for name, counts in zip(pairing.names, void.players, strict=True):
        if counts.withdrawn is not None:
            raise PlayerFault(f"{name} cannot be started: {counts.withdrawn}")
    if len(played) < pairing.pairs:
        why = [str(pairs) for pairs in void.void_pairs] or [problem]
        raise PlayerFault(f"arena fight {pairing.a.as_named} {pairing.b.as_named}: {why[0]}")
    return played
