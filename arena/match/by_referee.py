"""Play one game that its referee plays as a whole."""

from __future__ import annotations

from arena.errors import (
    ArenaError,
    GameFault,
    quoted,
)
from arena.game import Side
from arena.games.contract import breach
from arena.match.record import GameRecord, forfeit_by
from arena.match.refereed import RefereedGame, misfit_of_verdict, move_to
from arena.player import PlayerInfo
from arena.records.refereed import Refereed
from arena.rng import named_stream

#: Bits of the seed of a referee: a signed number of 32 bits holds it in every language.
REFEREE_BITS = 31


def play_refereed(
    game: RefereedGame, players: tuple[PlayerInfo, PlayerInfo], name: str
) -> GameRecord:
    """Ask the game's referee to play one game of that name.

    Its seed is the pair's, as an opening is: both games of a pair have it. Raises GameFault if the
    referee fails.
    """
    pair, _, _ = name.rpartition(".")
    seed = named_stream(pair).getrandbits(REFEREE_BITS)
    try:
        verdict = game.referee(players, seed)
    except Exception as error:
        fault_of_game = None if isinstance(error, ArenaError) else breach(error)
        if fault_of_game is None:
            raise
        raise fault_of_game from error
    if problem := misfit_of_verdict(verdict):
        raise GameFault(f"game {quoted(game.name)} broke its contract in referee(): it {problem}")
    report = Refereed(seed, verdict.scores)
    if verdict.forfeits is not None:
        lost = forfeit_by((), Side(verdict.forfeits), "referee", verdict.reason)
        return lost._replace(referee=report)
    return GameRecord((move_to(verdict.outcome),), verdict.outcome, None, referee=report)
