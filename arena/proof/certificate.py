"""Walk every line that can occur against any opponent, to prove that a player never loses.

The walk follows every move of positive probability at the player's turns, and every legal move at
the opponent's. The result is a theorem about the player, and its moves on the way are the
certificate: :mod:`arena.proof.checker` verifies it by the rules alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from arena.errors import CannotEnumerate, PlayerFault
from arena.game import Game, Position, Side
from arena.games.display import Line
from arena.match.seats import Seat, sit
from arena.model.defaults import MAX_POSITIONS
from arena.player import PlayerInfo
from arena.proof.branches import stream_number
from arena.proof.distribution import ask_seat, fault_of
from arena.proof.limit import Limit
from arena.proof.policy import Policy
from arena.proof.program import assumed, program
from arena.proof.responses import RANDOM, best_response
from arena.proof.walk import ChancesAfter, ProofWalk
from arena.proof.witness import PlayAgainst, watch_games
from arena.records.proofs import Agreement, Certificate
from arena.rng import Stream

#: Default number of real games that a player must play as its table says. If it left the table in
#: more than a share 3 / DEFAULT_GAMES of its games, 95 of 100 trials would show that.
DEFAULT_GAMES = 400


class CertificateTrial(NamedTuple):
    """Real games that a certified player must play as its table says."""

    #: Seed of the games, and their number; a fourth of it is pairs against each opponent.
    seed: int
    games: int = DEFAULT_GAMES
    #: The player of the games, if not the certified one: the table may be kept elsewhere.
    player: PlayerInfo | None = None
    #: Plays the games against an opponent where the player cannot see their purpose.
    elsewhere: PlayAgainst | None = None


def certify(
    player: PlayerInfo,
    game: Game,
    limit: Limit | None = None,
    trial: CertificateTrial | None = None,
) -> Certificate:
    """Walk all lines of a player as the first and as the second side.

    A stateless player is certified by its moves in each position. A stateful player that draws
    nothing is certified by its moves after each line. With a trial the player then plays real
    games, against a random opponent and the best one. Raises CannotEnumerate if the player's moves
    cannot be enumerated, and Undecided if more positions (lines, for a stateful player) occur than
    the limit allows, by default MAX_POSITIONS.
    """
    player.require(game)
    walks, policy = _walks(player, game, limit or Limit(MAX_POSITIONS))
    agreement = None if trial is None or not trial.games else _tried(player, game, walks, trial)
    if policy is not None and (agreement is None or agreement.holds):
        policy.confirm()
    keyed_by = "position" if player.stateless else "line"
    return Certificate(
        game=game.name,
        game_version=game.version,
        player=player.name,
        keyed_by=keyed_by,
        first=walks[0].certificate(),
        second=walks[1].certificate(),
        is_declared=player.distribution is not None,
        agreement=agreement,
        proved_by=program(),
        assumes=assumed(keyed_by),
    )


def _walks(player: PlayerInfo, game: Game, limit: Limit) -> tuple[list[ProofWalk], Policy | None]:
    """Return the walks by the player's side, and the policy of a player without state."""
    if player.stateless:
        policy = Policy(player, game)
        return [
            ProofWalk(game, side, lambda p, _: policy(p), False, limit) for side in Side
        ], policy
    return [
        ProofWalk(game, side, _moves_by_line(player, game, side), True, limit) for side in Side
    ], None


def _tried(
    player: PlayerInfo, game: Game, walks: Sequence[ProofWalk], trial: CertificateTrial
) -> Agreement:
    """Play the games of a trial. Their ids name the opponent."""
    first, second = walks

    def table(position: Position, line: Line) -> Mapping[int, Fraction] | None:
        return (second if position.to_move else first).moves_at(position, line)

    return watch_games(
        trial.player or player,
        game,
        table,
        (RANDOM, best_response(walks)),
        max(1, trial.games // 4),
        trial.seed,
        trial.elsewhere,
    )


def _moves_by_line(player: PlayerInfo, game: Game, side: Side) -> ChancesAfter:
    """Return the moves of a stateful player, which plays every line from its start."""

    def moves(position: Position, line: Line) -> Mapping[int, Fraction]:
        try:
            return {_follow(player, game, side, line): Fraction(1)}
        except PlayerFault as error:
            raise PlayerFault(f"{player.name} at {position}: {error}") from error
        except CannotEnumerate as error:
            raise CannotEnumerate(
                f"{player.name} keeps state and {error}, so it cannot be certified"
            ) from error

    return moves


def _follow(player: PlayerInfo, game: Game, side: Side, line: Line) -> int:
    """Return the move of a player after the line, in a game of its own."""
    stream = Stream()
    stream.begin(stream_number(()))
    position = game.start()
    try:
        seat = sit(player, game, side, stream)
        for move in line:
            if position.to_move == side:
                if _drawn_without_chance(seat, position) != move:
                    raise CannotEnumerate("plays differently when arena repeats the same line")
            elif seat.observe is not None:
                seat.observe(move)
            position = position.play(move)
    except BaseException as error:
        raise fault_of(error) from error
    return _drawn_without_chance(seat, position)


def _drawn_without_chance(seat: Seat, position: Position) -> int:
    move, draws = ask_seat(seat, position)
    if draws:
        raise CannotEnumerate("draws at random")
    return move
