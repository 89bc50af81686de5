"""Find what players do in a position, and what that is worth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import partial

from arena.errors import UsageError
from arena.game import Game, Position
from arena.games.display import written_otherwise
from arena.games.info_state import InfoState, info_state_of, read_info_state
from arena.games.worth import describe
from arena.inputs.resolve import (
    DEFAULT_GAME,
    GameLike,
    IsolationLike,
    PlayerLike,
    get_plain_game,
    get_player,
    get_ruled_game,
    guarded,
    open_catalogue,
)
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.proof import values
from arena.records.proofs import MoveReport
from arena.sandbox.cores import shared_with


def distribution(
    player: PlayerLike,
    position: str | Position,
    *,
    game: GameLike = DEFAULT_GAME,
    isolation: IsolationLike | None = None,
    catalogue: Catalogue | None = None,
) -> dict[int, Fraction]:
    """Return the exact probability of every move that a stateless player may make in a position.

    >>> distribution("tictactoe3", "____x____")
    {0: Fraction(1, 4), 2: Fraction(1, 4), 6: Fraction(1, 4), 8: Fraction(1, 4)}
    """
    if isinstance(player, str) or isolation is not None:  # loading plugins takes longer than asking
        catalogue = open_catalogue(catalogue, isolation)
    return guarded(partial(_distribution, player, position, game, catalogue), player)


def _distribution(
    player: PlayerLike, position: str | Position, game: GameLike, catalogue: Catalogue | None
) -> dict[int, Fraction]:
    from arena.proof import distribution as proof

    info_state = _read_position(position, game, catalogue)
    info = get_player(player, catalogue)
    info.require(info_state.game)
    with shared_with(info):
        return proof.distribution(info, info_state)


def value(position: str | Position, *, game: GameLike = DEFAULT_GAME) -> int:
    """Return the value under perfect play for the side to move.

    It is 0 for a draw, else the number of plies to a win, or to a loss as a negative number.
    Raises UsageError for a game with luck, secrets or payoffs of its own, and CannotEnumerate for a
    position of a large game that cannot be solved quickly.

    >>> value("xo_______"), value("____x____"), value("_" * 25, game="tictactoe-5")
    (5, 0, 0)
    """
    from arena.proof import values

    plain = get_plain_game(game if isinstance(position, str) else position.game, "arena.value")
    if isinstance(position, str):
        position = plain.parse(position)
    if position.outcome() is not None:
        raise UsageError(f"the game is over in {str(position)!r}: there is no move to make")
    return values.value(position)


def move(
    player: PlayerLike,
    position: str | Position,
    *,
    game: GameLike = DEFAULT_GAME,
    isolation: IsolationLike | None = None,
    catalogue: Catalogue | None = None,
) -> MoveReport:
    """Return the exact probability of every move in a position, and its value if that is solved.

    >>> report = move("tictactoe3", "____x____")
    >>> str(report.moves["1"]), report.values["1"]
    ('1/4', 'draw')
    """
    catalogue = open_catalogue(catalogue, isolation)
    return guarded(partial(_move, player, position, game, catalogue), player)


def moves(
    player: PlayerLike,
    lines: Iterable[str],
    *,
    game: GameLike = DEFAULT_GAME,
    isolation: IsolationLike | None = None,
    catalogue: Catalogue | None = None,
) -> Iterator[MoveReport]:
    """Yield the report of :func:`move` for the position on each line. Skip empty lines.

    Raises UsageError with the number of a line that has no position.
    """
    catalogue = open_catalogue(catalogue, isolation)
    the_game = get_ruled_game(game, catalogue)
    info = get_player(player, catalogue)
    info.require(the_game)
    texts = ((number, line.strip("\ufeff \t\r\n")) for number, line in enumerate(lines, 1))
    positions = [(number, text) for number, text in texts if text]
    work = partial(_line_report, info, the_game)
    if not isinstance(player, str):
        return map(work, positions)
    from arena.executors.isolated_process import map_isolated

    return map_isolated(work, positions)


def _move(
    player: PlayerLike, position: str | Position, game: GameLike, catalogue: Catalogue
) -> MoveReport:
    info, info_state = get_player(player, catalogue), _read_position(position, game, catalogue)
    info.require(info_state.game)
    return _report(info, info_state)


def _read_position(
    position: str | Position, game: GameLike, catalogue: Catalogue | None
) -> InfoState:
    if isinstance(position, str):
        return read_info_state(get_ruled_game(game, catalogue), position)
    return info_state_of(position)


def _line_report(player: PlayerInfo, game: Game, numbered: tuple[int, str]) -> MoveReport:
    line, text = numbered
    try:
        info_state = read_info_state(game, text)
    except UsageError as error:
        raise UsageError(f"line {line}: {error}") from error
    return _report(player, info_state)


def _report(player: PlayerInfo, info_state: InfoState) -> MoveReport:
    from arena.proof import distribution as proof

    game = info_state.game
    with shared_with(player):
        chances = proof.distribution(player, info_state)
    account = getattr(player.player, "account", None)
    worth, written = {}, {}
    if isinstance(info_state, Position):
        worth = {} if game.features else values.move_values(info_state)
        written = written_otherwise(info_state, info_state.legal_moves())
    return MoveReport(
        game=game.name,
        player=player.name,
        position=str(info_state),
        picture=info_state.picture(),
        moves={game.format_move(move): chance for move, chance in chances.items()},
        values={game.format_move(move): describe(value) for move, value in worth.items()},
        account="" if account is None else str(account(info_state)),
        written=written,
    )
