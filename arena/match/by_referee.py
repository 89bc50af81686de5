"""Play one game that its referee plays as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from arena.errors import ArenaError, GameFault, Withdrawn, quoted
from arena.game import Game, Outcome, Side
from arena.games.contract import breach
from arena.match.record import Forfeit, GameRecord, forfeit_by, never_started
from arena.match.refereed import RefereedGame, Verdict, misfit_of_verdict, moves_to
from arena.player import PlayerInfo
from arena.records.notes import GameNotes
from arena.records.refereed import Refereed
from arena.rng import named_stream

#: Bits of the seed of a referee: a signed number of 32 bits holds it in every language.
REFEREE_BITS = 31

#: The reason of a forfeit by the word of the referee.
BY_REFEREE = "referee"


def play_refereed(
    game: RefereedGame, players: tuple[PlayerInfo, PlayerInfo], name: str
) -> GameRecord:
    """Ask the game's referee to play one game of that name for two.

    Raises GameFault if the referee fails.
    """
    seed = referee_seed(name)
    verdict = _ask(game, players, seed)
    if verdict.forfeits is not None:
        lost = forfeit_by((), Side(verdict.forfeits), BY_REFEREE, verdict.reason)
        return lost.with_notes(referee=Refereed(seed, None))
    paid = game.paid(verdict.scores) if game.is_paid and verdict.scores else None
    moves, notes = moves_to(verdict, game.seats), _of_referee(seed, verdict.scores)
    return GameRecord(moves, verdict.outcome, None, payoffs=paid, notes=notes)


def play_refereed_table(game: RefereedGame, players: Sequence[PlayerInfo], name: str) -> GameRecord:
    """Ask the game's referee to play one game of that name for more than two.

    A player that cannot be started has forfeited. Raises GameFault if the referee fails.
    """
    seed = referee_seed(name)
    try:
        verdict = _ask(game, tuple(players), seed)
    except Withdrawn as error:
        seat = [player.name for player in players].index(error.player)
        lost = never_started(seat, error.problem)._replace(ply=0)
        paid = game.forfeit_payoffs(seat)
        return GameRecord((), Outcome.OVER, lost, payoffs=paid, notes=_of_referee(seed))
    forfeits = [Forfeit(seat, BY_REFEREE, reason, ply=0) for seat, reason in verdict.out]
    first = next(iter(forfeits), None)
    assert verdict.scores is not None
    return GameRecord(
        () if forfeits else moves_to(verdict, game.seats),
        Outcome.OVER,
        first,
        payoffs=game.paid(verdict.scores, verdict.seats_out),
        notes=_of_referee(seed, verdict.scores),
        later=tuple(forfeits[1:]),
    )


def _of_referee(seed: int, scores: tuple[float, ...] | None = None) -> GameNotes:
    """Return the notes on a game that a referee played, without scores if a forfeit ended it."""
    return GameNotes(referee=Refereed(seed, scores))


def referee_seed(name: str) -> int:
    """Return the seed of a referee in the game of that name: that of its pair, or of its block."""
    block, _, _ = name.rpartition(".")
    return named_stream(block).getrandbits(REFEREE_BITS)


def _ask(game: RefereedGame, players: tuple[PlayerInfo, ...], seed: int) -> Verdict:
    """Return the verdict of a referee on one game. Raises GameFault for another answer."""
    try:
        verdict = game.referee(players, seed)
    except Exception as error:
        fault_of_game = None if isinstance(error, ArenaError) else breach(error)
        if fault_of_game is None:
            raise
        raise fault_of_game from error
    if problem := misfit_of_verdict(verdict, game.seats):
        raise GameFault(f"game {quoted(game.name)} broke its contract in referee(): it {problem}")
    is_scored = game.seats > 2 or verdict.forfeits is None
    if game.is_paid and is_scored and verdict.scores is not None:
        _require_range(game, verdict, seed)
    return verdict


def _require_range(game: RefereedGame, verdict: Verdict, seed: int) -> None:
    """Raise GameFault if a score is outside the range of the payoffs.

    The score of a seat that forfeits does not count.
    """
    least, most, *_ = game.payoffs
    paid = game.paid(verdict.scores or (), verdict.seats_out)
    for score, payoff in zip(verdict.scores or (), paid, strict=True):
        if not least <= payoff <= most:
            raise GameFault(
                f"the referee of {quoted(game.name)} told a score of {score} with seed {seed}:"
                f" it is not in {least} to {most}"
            )


def paid_by_referee(
    game: Game, referee: Refereed | None, out: Sequence[int]
) -> tuple[Fraction, ...] | None:
    """Return what a game paid by the scores of its referee, None without scores.

    The seats that are ``out`` forfeited.
    """
    scores = None if referee is None else referee.scores
    if scores is None or not isinstance(game, RefereedGame) or len(scores) != game.seats:
        return None
    return game.paid(scores, out)


def problem_by_referee(
    game: Game, referee: Refereed | None, moves: Sequence[str], out: Sequence[int]
) -> str | None:
    """Return how the moves of a noted game differ from the scores of its referee, or None.

    ``moves`` are in the game's notation. The seats that are ``out`` forfeited.
    """
    paid = paid_by_referee(game, referee, out)
    if paid is None or not isinstance(game, RefereedGame):
        return None
    assert referee is not None
    by_scores = (
        [] if out else [*map(game.format_move, moves_to(Verdict(referee.scores), game.seats))]
    )
    if [*moves] != by_scores:
        words = " ".join(by_scores) or "none"
        return f"its moves are {' '.join(moves)}, by the referee's scores {words}"
    least, most, *_ = game.payoffs
    if game.is_paid and not all(least <= payoff <= most for payoff in paid):
        return f"the referee's scores are outside {least} to {most}"
    return None
