"""A player at one side of a game, for programs that play the game themselves."""

from __future__ import annotations

from arena.game import Side
from arena.inputs.resolve import GameLike, PlayerLike, get_game, get_player
from arena.match.seats import Seat, sit
from arena.plugin.catalogue import Catalogue
from arena.rng import Stream, begin_all


def seat(
    player: PlayerLike,
    game: GameLike,
    side: Side,
    *,
    seed: int = 0,
    catalogue: Catalogue | None = None,
) -> Seat:
    """Make a player ready for one game, in this process.

    Call ``choose(position, rng)`` of the seat on the side's turns, with the seat's own ``rng``, and
    ``observe(move)`` and ``finish(outcome)`` unless they are None. Raises CannotPlay if the player
    does not play the game.

    >>> from arena.game import Side
    >>> from arena.games.mnk import mnk_game
    >>> position = mnk_game(3, 3, 3).parse("xx__oo___")
    >>> seated = seat("tictactoe3", position.game, Side.FIRST)
    >>> seated.choose(position, seated.rng)
    2
    """
    the_game = get_game(game, catalogue)
    info = get_player(player, catalogue)
    info.require(the_game)
    streams = [Stream() for _ in range(the_game.seats)]
    begin_all(streams, f"{the_game.name}/{info.name}/{seed}")
    return sit(info, the_game, side, streams[side])
