"""Find games and players by name."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from arena import escape
from arena.errors import (
    CannotLoad,
    PlayerFileError,
    UsageError,
    counted,
    did_you_mean,
    one_line,
    quoted,
)
from arena.fights import schedule
from arena.fights.openings import Openings, openings_of
from arena.fights.pairing import named_twice
from arena.game import Game
from arena.model.defaults import DEFAULT_GAME as DEFAULT_GAME
from arena.player import PlayerInfo, misfit_of_player
from arena.player.names import NamedSpec, names_a_file
from arena.player_file import require_file
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.sandbox.settings import LIMIT_KINDS, Isolation
from arena.sandbox.words import WASM

T = TypeVar("T")

logger = logging.getLogger(__name__)

#: A name as on the command line, such as ``./bot.py``, a function ``choose(position, rng)``, a
#: class with state, or what :func:`arena.get_player` returns.
PlayerLike = str | PlayerInfo | Callable[..., Any]
#: A name, such as ``connect4``, or the game itself.
GameLike = str | Game
#: ``random:PLIES``, ``all:PLIES``, ``starts`` or a file; see arena.fights.openings.openings_of.
OpeningsLike = str | os.PathLike[str] | Openings
#: The file of a store, or the URL of a database, ``postgresql://USER@HOST/DATABASE``.
StoreLike = str | os.PathLike[str]
#: A tier, as ``--isolation`` names it, or limits with it.
IsolationLike = str | Isolation


def open_catalogue(
    catalogue: Catalogue | None, isolation: IsolationLike | None = None
) -> Catalogue:
    """Return the catalogue, by default of all that is installed, with this isolation.

    Raises UsageError for an unknown isolation.
    """
    catalogue = catalogue or load_catalogue()
    if isolation is None:
        return catalogue
    if not isinstance(isolation, Isolation):
        isolation = Isolation(tier=isolation)
    return catalogue.isolated(isolation)


def require_list(players: object, what: str) -> None:
    """Raise UsageError for a single player where ``what`` takes several."""
    is_one = isinstance(players, (str, PlayerInfo)) or callable(players)
    if is_one or not isinstance(players, Iterable):
        alone = quoted(players) if isinstance(players, str) else repr(players)
        raise UsageError(f"{what} takes its players as one list, not {alone} alone")


def guarded(work: Callable[[], T], *players: PlayerLike) -> T:
    """Do work in a separate process if a player is given by name: its code could end the process.

    Without players the work may use any that is installed. A function or a PlayerInfo belongs to
    the caller. It plays in this process, where its author can debug it. Raises PlayerFault if the
    separate process ends.
    """
    if players and not any(isinstance(player, str) for player in players):
        return work()
    from arena.executors.isolated_process import run_isolated

    return run_isolated(work)


def get_game(game: GameLike, catalogue: Catalogue | None = None) -> Game:
    """Return the game of that name, such as ``tictactoe``, ``mnk-5-4-4`` or ``connect4``.

    >>> get_game("mnk-3-3-3")
    <game tictactoe>
    """
    if isinstance(game, Game):
        return game
    if not isinstance(game, str):
        raise UsageError(f"a game is a name or a Game, not {_no_game(game)}")
    return (catalogue or load_catalogue()).game(game)


def _no_game(value: object) -> str:
    """Show what is no game, and how a class of games is meant."""
    hint = f": write {value.__name__}()" if isinstance(value, type) else ""
    return one_line(repr(value)) + hint


def get_ruled_game(game: GameLike, catalogue: Catalogue | None = None) -> Game:
    """Return the game as :func:`get_game` does. Raises UsageError if only a referee knows its
    rules.
    """
    ruled = get_game(game, catalogue)
    if ruled.is_refereed:
        raise UsageError(
            f"game {quoted(ruled.name)} is played by its referee, and arena knows only the scores:"
            " there are no positions and moves to look at"
        )
    return ruled


def get_game_for_two(game: GameLike, asker: str, catalogue: Catalogue | None) -> Game:
    """Return the game as :func:`get_ruled_game` does. Raises UsageError if it has more than two
    seats, which the ``asker`` does not take.
    """
    ruled = get_ruled_game(game, catalogue)
    if ruled.seats > 2:
        raise UsageError(
            f"game {quoted(ruled.name)} has {ruled.seats} seats, and {asker} takes games for two"
        )
    return ruled


def get_plain_game(game: GameLike, asker: str, catalogue: Catalogue | None = None) -> Game:
    """Return the game as :func:`get_ruled_game` does. Raises UsageError if it has luck, secrets, or
    other payoffs than those of win, draw and loss, none of which the ``asker`` takes.
    """
    plain = get_ruled_game(game, catalogue)
    if plain.features:
        raise UsageError(
            f"game {quoted(plain.name)} has {' and '.join(plain.features)}, and {asker} takes games"
            " without luck and secrets that are won, drawn or lost"
        )
    return plain


def get_player(
    player: PlayerLike,
    catalogue: Catalogue | None = None,
    *,
    isolation: IsolationLike | None = None,
) -> PlayerInfo:
    """Return the player of that name, in that file, or of that function or class.

    A file or a program is isolated, and limited, as :class:`arena.Isolation` says. A function or
    class is the caller's code, and plays like an installed player.

    >>> get_player("triples").claims
    ('never-loses:tictactoe',)
    """
    if isinstance(player, str):
        return open_catalogue(catalogue, isolation).player(player)
    if not isinstance(player, PlayerInfo):
        if not callable(player):
            raise UsageError(f"a player is a name or a function, not {_no_player(player)}")
        name = getattr(player, "__name__", type(player).__name__)
        player = PlayerInfo(name, player, stateless=not isinstance(player, type))
    problem = misfit_of_player(player.player, player.stateless) if player.remote is None else ""
    if problem:
        raise UsageError(f"player {quoted(player.name)}: {problem}")
    return player


def _no_player(value: object) -> str:
    """Show what is no player, and how a path is meant."""
    shown = quoted(repr(value))
    if not isinstance(value, os.PathLike):
        return shown
    file = os.fsdecode(value)
    return f"{shown}: write {quoted(file if os.path.dirname(file) else os.path.join('.', file))}"


def get_entrant(player: PlayerLike, catalogue: Catalogue) -> PlayerInfo:
    """Return the player as :func:`get_player` does, or a withdrawn one if its file does not load.

    So one entrant's mistake keeps no other from playing. Raises PlayerFileError if there is no
    file.
    """
    if isinstance(player, str):
        return named_entrant(catalogue.read_named(player), catalogue)
    return get_player(player, catalogue)


def named_entrant(named: NamedSpec, catalogue: Catalogue, file: str = "") -> PlayerInfo:
    """Return the entrant of that name. ``file`` is as for :meth:`Catalogue.named_player`."""
    name, spec = named
    if not names_a_file(spec):
        return catalogue.named_player(named)
    require_file(str(named), file or os.path.abspath(spec))
    try:
        return catalogue.named_player(named, file)
    except (PlayerFileError, CannotLoad) as error:
        from arena.sandbox.players import renamed, unloadable_player

        limits = catalogue.isolation.limits(name)
        absent = unloadable_player(spec, limits, error.problem, file)
        return absent if name == spec else renamed(absent, name, spec)


def get_openings(openings: OpeningsLike | None, game: Game) -> Openings | None:
    """Return the openings of that name at the game, None for the start."""
    if openings is None or isinstance(openings, Openings):
        return openings
    if not isinstance(openings, (str, os.PathLike)):
        raise UsageError(f"openings are a name or a file, not {one_line(repr(openings))}")
    return openings_of(openings, game)


def require_limited(isolation: Isolation, players: Sequence[PlayerInfo]) -> None:
    """Raise UsageError for a limit of a player that does not take part, or is not isolated."""
    by_name = {player.name: player for player in players}
    for name in isolation.players:
        limited = f"a limit is for player {quoted(name)}"
        if name not in by_name:
            raise UsageError(f"{limited}{did_you_mean(name, by_name)}, which is not named")
        if by_name[name].is_trusted:
            raise UsageError(f"{limited}, which is installed: add --isolate")


def require_clocks(isolation: Isolation, players: Iterable[PlayerInfo]) -> None:
    """Raise UsageError for clocks that no player gets, because none is isolated."""
    players = [player for player in players if isolation.of(player.name).clock]
    if players and not any(player.limits for player in players):
        names = ", ".join(quoted(player.name) for player in players)
        raise UsageError(
            f"a clock is for isolated players, and {names} would play without isolation: add"
            " --isolate, or leave out --isolation none"
        )


#: A margin of more seconds may have been meant in milliseconds, as other tools take it.
LONG_MARGIN = 10


def warn_of_limits(isolation: Isolation, players: Iterable[PlayerInfo]) -> None:
    """Warn of limits that nothing enforces, because their players play in arena's process.

    Do not name installed players if the limits hold for another player.
    """
    unique = {player.name: player for player in players}.values()
    fuelled = {player.name for player in unique if isolation.of(player.name).fuels}
    is_wasm = isolation.tier == WASM or any(player.isolation == WASM for player in unique)
    if fuelled and not is_wasm:
        logger.warning("arena: fuel is for WebAssembly modules (.wasm), and none plays")
    timed = LIMIT_KINDS.keys() - {"fuel", "game_fuel"}
    limited = [player for player in unique if timed & isolation.of(player.name).settings.keys()]
    unlimited = [player for player in limited if player.remote is None]
    files = [player for player in unlimited if player.file]
    if files:
        _warn_of_limits(files, "leave --isolation none out, and it holds")
    elif unlimited == limited:
        _warn_of_limits(unlimited, "--isolate gives every player a process of its own")
    margins = {isolation.of(player.name).time_margin or 0 for player in unique}
    if (margin := max(margins, default=0)) > LONG_MARGIN:
        logger.warning("arena: --time-margin is in seconds: a move may take %g s longer", margin)


def _warn_of_limits(players: Sequence[PlayerInfo], remedy: str) -> None:
    names = [player.name for player in players]
    if names:
        what = f"{names[0]}, which plays" if len(names) == 1 else f"{', '.join(names)}, which play"
        line = f"arena: no limit holds for {what} in arena's process: {remedy}"
        logger.warning("%s", escape.line(line))


def matchups(
    players: Sequence[PlayerInfo],
    challenger: PlayerInfo | None,
    game: Game,
    *,
    is_scheduled: bool = False,
) -> list[tuple[PlayerInfo, ...]]:
    """Return the pairings: a round robin, or a gauntlet if there is a challenger.

    Players of a game for more than two meet at tables, as
    :func:`arena.fights.table_schedule.balanced_tables` has them, or at any table where a schedule
    chooses. Raises UsageError for a player named twice, for too few, and for too many tables.
    """
    by_name: dict[str, PlayerInfo] = {}
    for player in players:
        if player.name in by_name:
            raise UsageError(named_twice(by_name[player.name], player))
        by_name[player.name] = player
    if game.seats > 2:
        return _tables(list(by_name.values()), challenger, game, is_scheduled)
    pairings: list[tuple[PlayerInfo, ...]]
    if challenger is not None:
        pairings = [*schedule.gauntlet(challenger, players)]
    else:
        pairings = [*schedule.round_robin(players)]
    if not pairings:
        raise UsageError(f"a tournament at {game.name} needs two players")
    return pairings


def _tables(
    players: Sequence[PlayerInfo], challenger: PlayerInfo | None, game: Game, is_scheduled: bool
) -> list[tuple[PlayerInfo, ...]]:
    """Return the tables of a tournament at a game for more than two."""
    from arena.fights.table_schedule import all_tables, balanced_tables, gauntlet_tables

    if challenger is not None:
        players = [challenger, *(player for player in players if player != challenger)]
    if len(players) < game.seats:
        raise UsageError(
            f"a tournament at {game.name} needs {game.seats} players, and"
            f" {counted(len(players), 'player')} {'is' if len(players) == 1 else 'are'} named"
        )
    tables_of = balanced_tables if challenger is None else gauntlet_tables
    tables = (all_tables if is_scheduled else tables_of)(len(players), game.seats)
    return [tuple(players[number] for number in table) for table in tables]
