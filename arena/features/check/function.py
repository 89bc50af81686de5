"""Check whether players and games keep their contracts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Unpack

from arena.errors import (
    ArenaError,
    PlayerFault,
    PlayerFileError,
    PlayerFileRaised,
    UsageError,
    quoted,
)
from arena.features.check.options import CheckGameOptions, CheckOptions
from arena.features.check.record import Answers, CheckReport
from arena.game import Game, Position
from arena.games.info_state import info_state_of, read_info_state
from arena.inputs.proof_options import AskOptions
from arena.inputs.resolve import (
    GameLike,
    PlayerLike,
    get_player,
    get_ruled_game,
    open_catalogue,
)
from arena.player import PlayerInfo
from arena.player.names import names_a_file
from arena.player.purse import PaidPlayer
from arena.player_file import absolute, require_file
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.records.commands import with_plugins
from arena.rng import fresh_seed
from arena.signatures import complete, takes

#: Games that stand for those that a pattern such as ``mnk-*``, or a kind of game, means.
_EXAMPLES = ("tictactoe", "mnk-4-3-3", "tictactoe-4", "connect4", "tictactoe-corners")

#: This many other games are tried of those that a player declares.
_MAX_GAMES = 2


@takes(CheckOptions)
def check(
    player: PlayerLike,
    **options: Unpack[CheckOptions],
) -> CheckReport:
    """Return whether a player keeps the contract of players, with a finding for everything in it.

    Without a game it is the usual one, or the first that the player plays.

    It is asked at every position of a small game, at 1000 of a larger one, or at as many as
    ``positions`` says. One answer may take ``patience`` seconds. The same seed gives the same
    report, but for the time a move takes, which is in it if ``timed``. Raises PlayerFault if the
    player cannot be loaded or started.

    >>> report = check("triples", seed=1, positions=50)
    >>> report.conforms, report.findings[2].check, str(report.findings[2].level)
    (True, 'legal moves', 'pass')
    """
    from arena.features.check.players import check_player
    from arena.features.check.questions import set_exam

    is_game_given = "game" in options
    options = complete(check, options)
    catalogue = open_catalogue(options["catalogue"], options["isolation"])
    game = get_ruled_game(options["game"], catalogue)
    info = _get_player(player, catalogue)
    exact = [name for name in info.games if "*" not in name]
    if exact and not is_game_given and not info.plays(game):
        game = get_ruled_game(exact[0], catalogue)
    if isinstance(info.remote, PaidPlayer):
        raise UsageError(
            f"{info.name} is a language model, which keeps no contract: arena exam says how good"
            f" its moves are, and arena fight with -n 1 whether it plays at all"
        )
    seed = fresh_seed() if options["seed"] is None else options["seed"]
    report = check_player(
        set_exam(info, game, seed, options["positions"], options["patience"]),
        timed=options["timed"],
        other_games=_declared_games(info, game, catalogue),
        claimed=_claimed_games(info, catalogue),
    )
    findings = tuple(
        replace(finding, reproduction=with_plugins(finding.reproduction, catalogue.files))
        for finding in report.findings
    )
    return replace(report, findings=findings)


@takes(AskOptions)
def ask(
    player: PlayerLike,
    position: str | Position,
    **options: Unpack[AskOptions],
) -> Answers:
    """Ask a stateless player what :func:`check` asks it at a position, ``times`` times.

    Each time it has a process of its own and the generator of the seed, so a player that conforms
    makes the same move every time. Raises CannotEnumerate for a player that keeps state.

    >>> ask("tictactoe3", "____x____", seed=1, times=2).moves
    {'3': 2}
    """
    from arena.features.check.reproduction import ask_again

    options = complete(ask, options)
    catalogue = open_catalogue(options["catalogue"], options["isolation"])
    info = _get_player(player, catalogue)
    if isinstance(position, str):
        info_state = read_info_state(get_ruled_game(options["game"], catalogue), position)
    else:
        info_state = info_state_of(position)
    seed = fresh_seed() if options["seed"] is None else options["seed"]
    return ask_again(info, info_state, seed, options["times"], options["patience"])


@takes(CheckGameOptions)
def check_game(game: GameLike, **options: Unpack[CheckGameOptions]) -> CheckReport:
    """Return whether a game keeps the contract of :mod:`arena.game`, with a finding for each part.

    It looks at every position of a small game, and at those of random games of a larger one. In a
    game with secrets it follows all histories for leaks, or up to ``histories`` and as many of
    random games.

    >>> check_game("mnk-3-2-2").conforms
    True
    """
    from arena.features.check import games

    options = complete(check_game, options)
    catalogue, called, misnamed = options["catalogue"], "game", ""
    if not isinstance(game, Game):  # the check is there to find what does not work
        files = "" if catalogue is None else _shown_files(catalogue.files)
        called = f"arena.get_game({game!r}{files})"
        catalogue = catalogue or load_catalogue()
        spec, game = game, catalogue.untried_game(game)
        misnamed = _misnamed(spec, game, catalogue)
    ruled = get_ruled_game(game)
    return games.check_game(ruled, options["seed"], called, options["histories"], misnamed)


def _misnamed(spec: str, game: Game, catalogue: Catalogue) -> str:
    """Return why the catalogue does not find a game by its own name, empty if it does.

    Results, stores and ids of games have that name.
    """
    name = quoted(str(game.name))
    try:
        same_named = catalogue.untried_game(game.name)
    except ArenaError:
        problem = "by which no game is found"
    else:
        if same_named == game:
            return ""
        problem = "by which another game is found"
    return f"the game {quoted(spec)} has the name {name}, {problem}: register it by its name"


def _get_player(player: PlayerLike, catalogue: Catalogue) -> PlayerInfo:
    """Return the player. Raises PlayerFault if its file fails, for the check is of the player."""
    if not isinstance(player, str):
        return get_player(player, catalogue)
    named = catalogue.read_named(player)
    if not names_a_file(named.spec):
        return catalogue.named_player(named)
    require_file(named.spec, absolute(named.spec))
    try:
        return catalogue.named_player(named)
    except PlayerFileRaised as error:
        raise PlayerFault(str(error)) from error
    except PlayerFileError as error:
        if catalogue.isolation.limits(named.name).tier == "none":
            raise
        raise PlayerFault(str(error)) from None


def _declared_games(player: PlayerInfo, game: Game, catalogue: Catalogue) -> Sequence[Game]:
    """Return some other games that an installed player declares. A file or a function cannot."""
    if not player.package:
        return []
    exact = [name for name in player.games if "*" not in name]
    declared_games: dict[str, Game] = {}
    for name in [*exact, *_EXAMPLES]:
        try:
            declared = catalogue.game(name)
        except ArenaError:
            continue  # of a plugin that is not installed
        if declared.name != game.name and player.plays(declared):
            declared_games.setdefault(declared.name, declared)
    return list(declared_games.values())[:_MAX_GAMES]


def _claimed_games(player: PlayerInfo, catalogue: Catalogue) -> dict[str, Game]:
    """Return the games of the claims, where these games exist."""
    claimed_games = {}
    for claim in player.claims:
        try:
            claimed_games[claim] = catalogue.game(claim.partition(":")[2])
        except ArenaError:
            continue
    return claimed_games


def _shown_files(files: Sequence[str]) -> str:
    """Return the argument that finds the games of plugins in these files too."""
    return f", arena.plugin.load_catalogue({[*files]})" if files else ""
