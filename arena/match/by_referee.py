"""Play one game that its referee plays as a whole."""

from __future__ import annotations

from fractions import Fraction

from arena.errors import ArenaError, GameFault, quoted
from arena.game import Side
from arena.games.contract import breach
from arena.match.record import GameRecord, forfeit_by
from arena.match.refereed import RefereedGame, misfit_of_verdict, move_to, payoffs_by
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
    paid = _payoffs(game, verdict.scores) if game.is_paid and verdict.scores else None
    move = move_to(verdict.outcome)
    return GameRecord((move,), verdict.outcome, None, payoffs=paid, referee=report)


def _payoffs(game: RefereedGame, scores: tuple[float, float]) -> tuple[Fraction, ...]:
    """Return the scores as payoffs. Raises GameFault if one is not in the range of the game."""
    paid, (least, most, *_) = payoffs_by(scores), game.payoffs
    for score, payoff in zip(scores, paid, strict=True):
        if not least <= payoff <= most:
            raise GameFault(
                f"the referee of {quoted(game.name)} told a score of {score}, which is not in"
                f" {least} to {most}"
            )
    return paid
