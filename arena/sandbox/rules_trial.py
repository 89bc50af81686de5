"""Try whether the rules of a plugin's game can be loaded where isolated players play.

A player of arena's own makes the first move of the game there, and no code of another player is
in its process. So a failure is never a player's fault.
"""

from __future__ import annotations

import random
from typing import Any

from arena.errors import Forfeited, GameFault, describe, quoted
from arena.game import CHANCE, Game, Position
from arena.games.contract import require_readable, start_of
from arena.player import PlayerInfo
from arena.player_file.plugin import dumps
from arena.sandbox.outside_modules import GameKey, is_own, key_of, places_of_game
from arena.sandbox.process import PlayerProcess
from arena.sandbox.settings import PlayerLimits, Spec
from arena.sandbox.wire import protocol
from arena.sandbox.wire.languages import FRAMES

#: The games that this process has tried, each with the tier.
_tried: set[tuple[GameKey, str]] = set()


def require_loadable(game: Game, tier: str) -> None:
    """Raise GameFault if an isolated process in a tier cannot load the rules of a game.

    It tries each game once in a tier.
    """
    if is_own(game) or (key_of(game), tier) in _tried:
        return
    require_readable(game)
    _require_pickled(game)
    try:
        _play_first_move(game, PlayerLimits(tier=tier))
    except Forfeited as error:
        raise GameFault(
            f"game {quoted(game.name)} cannot be loaded where isolated players play:"
            f" {error.problem}{_remedy(game)}"
        ) from None
    _tried.add((key_of(game), tier))


def _require_pickled(game: Game) -> None:
    """Raise GameFault if the game cannot be pickled."""
    try:
        dumps(game)
    except GameFault:
        raise
    except Exception as error:
        problem = f"game {quoted(game.name)} cannot be sent to another process: {describe(error)}"
        raise GameFault(problem) from error


def _remedy(game: Game) -> str:
    """Return what to do about it, as far as that is clear."""
    if type(game).__module__ == "__main__":
        return "; define the game in a module of its own, or use --isolation none for your files"
    return "; if the players are your own files, --isolation none plays them without isolation"


def _play_first_move(game: Game, limits: PlayerLimits) -> None:
    """Let arena's own player make the first move. Raises Forfeited if it does not."""
    player = dumps(PlayerInfo("the first legal move", first_legal_move))
    spec = Spec(game.name, installed=player, modules=places_of_game(game))
    process = PlayerProcess(spec, limits)
    try:
        process.load_rules(game)
        position = start_of(game)
        while position.to_move == CHANCE:
            position = position.play(position.chance_moves()[0][0])
        side = position.to_move
        process.tell(protocol.start(game, side, 0))
        seen: Any = position.observation(side)
        answer, _ = process.ask(1, FRAMES.move(1, seen), limits.import_time)
        protocol.read_move(answer, game)
    finally:
        process.end()


def first_legal_move(position: Position, _: random.Random) -> int:
    """Return the first legal move."""
    return position.legal_moves()[0]
