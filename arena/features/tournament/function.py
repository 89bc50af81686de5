"""Play tournaments: a round robin, or another schedule."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack, cast

from arena import escape
from arena.errors import UsageError, quoted
from arena.features.fight.function import require_single_games
from arena.fights.counting import counts_of
from arena.fights.pairing import Pairing, RunSetting
from arena.fights.runs import play
from arena.fights.schedule import PLAIN_NAMES
from arena.game import Game
from arena.inputs.options import DEFAULT_CAP, DEFAULT_PAIRS, PAIRS, TournamentOptions
from arena.inputs.questions import question_of
from arena.inputs.resolve import (
    PlayerLike,
    get_entrant,
    get_game,
    matchups,
    open_catalogue,
    require_limited,
)
from arena.kinds import check_value
from arena.player import PlayerInfo
from arena.player.names import short_names
from arena.plugin.catalogue import Catalogue
from arena.runs.begin import begin_run, pairings_of
from arena.runs.rounds import rounds_of
from arena.schedules import MAX_REMATCHES
from arena.signatures import complete, takes

if TYPE_CHECKING:
    from arena.records.played import Played
    from arena.records.tables import TablesResult
    from arena.records.tournaments import TournamentResult
    from arena.records.until import Until


logger = logging.getLogger(__name__)


@takes(TournamentOptions)
def tournament(
    players: Sequence[PlayerLike] | str | os.PathLike[str] = (),
    n: int | None = None,
    *,
    gauntlet: PlayerLike | None = None,
    schedule: str | None = None,
    **options: Unpack[TournamentOptions],
) -> TournamentResult:
    """Play a round robin of n pairs per pairing, or a gauntlet of one player against the others.

    The ``schedule`` is ``round-robin``, ``gauntlet:PLAYER``, for which ``gauntlet`` stands too,
    ``swiss:R``, ``knockout``, or one of a plugin. Without players, all installed ones that play the
    game. A folder stands for the players in it, and ``contest.toml`` for the entrants and the
    options in that file (:func:`read_contest`), of which an option that is given here takes the
    place. A player in a file that does not load is withdrawn. For the rest see :func:`fight`; each
    of its fights has the same games as that fight alone under the same seed.

    ``until`` ends a round robin as soon as a question is answered: ``"best"``, ``"top:K"`` or
    ``"order"``, by the mean of an entrant's scores against each other one. Then ``n`` is the most
    pairs of a pairing, and rounds go where a game tells most. The answer is wrong with a
    probability of at most ``alpha``, 0.05 unless it is given. Entrants whose means differ by no
    more than the ``margin``, 0.02 points per game, need not be told apart.
    """
    arranged = arrange(players, n, gauntlet, schedule, options=options)
    if (game := arranged.pairings[0].game).seats > 2:
        raise UsageError(
            f"{game.name} has {game.seats} seats: arena.table_tournament plays it in Python"
        )
    return cast("TournamentResult", play_arranged(arranged))


@takes(TournamentOptions)
def table_tournament(
    players: Sequence[PlayerLike] | str | os.PathLike[str] = (),
    n: int | None = None,
    *,
    gauntlet: PlayerLike | None = None,
    schedule: str | None = None,
    **options: Unpack[TournamentOptions],
) -> TablesResult:
    """Play n blocks at each table of a tournament at a game for more than two.

    Every two players sit together equally often, within one, or within two at tables of seven and
    eight. Every player sits equally often in every seat. A block has a game for each of the
    ``seatings`` of the table, all with the same luck. With a ``gauntlet`` one player sits at every
    table, and with the schedule ``swiss:R`` players with equal scores sit together in each of R
    rounds. For the rest see :func:`tournament`.

    >>> played = table_tournament(["monkey", "a=monkey", "b=monkey"], 2, game="mnk-3-3-3-x3")
    >>> [row.games for row in played.standings]
    [6, 6, 6]
    """
    arranged = arrange(players, n, gauntlet, schedule, table_tournament, options=options)
    if (game := arranged.pairings[0].game).seats == 2:
        raise UsageError(f"{game.name} is for two: arena.tournament plays it in Python")
    return cast("TablesResult", play_arranged(arranged))


def play_arranged(arranged: TournamentSetup) -> Played:
    """Play a tournament, of pairings or of tables."""
    warn_of_few_pairs(arranged)
    with begin_run(*arranged) as run:
        return play(**vars(run))


class TournamentSetup(NamedTuple):
    """A tournament before it begins: all that is known of it without a game."""

    setting: RunSetting
    pairings: list[Pairing]
    options: TournamentOptions
    catalogue: Catalogue


def warn_of_few_pairs(arranged: TournamentSetup) -> None:
    """Warn if the games of a round robin cannot tell its entrants apart."""
    from arena.fights.planning import too_few_pairs  # a fight need not wait for it

    setting, pairings = arranged.setting, arranged.pairings
    game = pairings[0].game
    if setting.schedule != PLAIN_NAMES["round-robin"] or game.is_paid or game.seats > 2:
        return
    entrants = {player.name for pairing in pairings for player in pairing.players}
    if few := too_few_pairs(len(entrants), pairings[0].pairs):
        contest = setting.contest
        start = "" if contest is None else f"contest {quoted(contest.name)}: "
        logger.warning("%s", escape.line(f"arena: {start}{few}"))


def arrange(
    players: Sequence[PlayerLike] | str | os.PathLike[str],
    n: int | None = None,
    gauntlet: PlayerLike | None = None,
    schedule: str | None = None,
    function: Callable[..., Any] | None = None,
    *,
    options: TournamentOptions,
) -> TournamentSetup:
    """Return what a tournament will play. Raises UsageError for one that cannot be played.

    The arguments are those of :func:`tournament`, or of the ``function`` that takes them. Nothing
    is written yet.
    """
    function = function or tournament
    from arena.inputs.entrants import enter  # a fight need not wait for it

    if isinstance(n, (str, PlayerInfo)) or callable(n):
        raise UsageError(f"a tournament takes its players as one list: [{players!r}, {n!r}]")
    complete_options = complete(function, options)
    catalogue = open_catalogue(complete_options["catalogue"], complete_options["isolation"])
    entered = enter(players, catalogue)
    contest = entered.contest
    if contest is not None:
        given = cast("TournamentOptions", {**contest.options, **options})
        complete_options = complete(function, given)
        catalogue = catalogue.isolated(contest.isolated(catalogue.isolation))
        n = contest.n if n is None else n
        if gauntlet is None and schedule is None:
            gauntlet, schedule = contest.gauntlet, contest.schedule
    game = get_game(complete_options["game"], catalogue)
    catalogue = catalogue.for_game(game)
    infos = [get_entrant(p, catalogue) for p in entered.players] or catalogue.players_of(game)
    kind, challenger = _schedule_of(schedule, gauntlet, infos, catalogue)
    setting = RunSetting(kind, contest=contest.file if contest else None)
    if setting.is_scheduled and game.seats == 2 and not catalogue.schedule(kind).takes_pairings:
        raise UsageError(
            f"schedule {kind} is for games of more than two, and {game.name} is for two"
        )
    if game.seats > 2:
        _require_tables(setting, complete_options, catalogue, game)
    until = _question(complete_options, kind, len(infos))
    players_of_pairings = matchups(infos, challenger, game, is_scheduled=setting.is_scheduled)
    require_limited(catalogue.isolation, infos if challenger is None else [*infos, challenger])
    setting = replace(setting, until=until)
    usual = DEFAULT_PAIRS if until is None else DEFAULT_CAP
    pairs = check_value("n", PAIRS, usual if n is None else n)
    if setting.is_scheduled:
        pairs *= MAX_REMATCHES
        require_single_games(f"schedule {quoted(kind)}", complete_options)
    pairings = pairings_of(players_of_pairings, pairs, game, complete_options, catalogue)
    if setting.is_scheduled and (rounds := rounds_of(setting, pairings, catalogue)) is not None:
        rounds.next_round(list(map(counts_of, pairings)))  # before anything of it is kept
    return TournamentSetup(setting, pairings, complete_options, catalogue)


def _require_tables(
    setting: RunSetting, options: TournamentOptions, catalogue: Catalogue, game: Game
) -> None:
    """Raise UsageError for what only tournaments of pairings have."""
    kind = setting.schedule
    has_none = setting.is_scheduled and not catalogue.schedule(kind).takes_tables
    if has_none or options["until"] is not None:
        what = f"schedule {kind}" if has_none else "--until"
        raise UsageError(f"{what} is for games of two, and {game.name} has {game.seats} seats")


def _question(options: TournamentOptions, schedule: str, entrants: int) -> Until | None:
    """Return the question of a tournament.

    Raises UsageError where it does not go with the schedule, the entrants or the engine.
    """
    until = question_of(options)
    if until is None:
        return None
    if schedule != PLAIN_NAMES["round-robin"]:
        raise UsageError(f"--until goes with schedule round-robin, not with {schedule}")
    from arena.records.until import TOP

    if until.question == TOP and (until.number or 0) >= max(2, entrants):
        raise UsageError(f"--until {until} needs more than {until.number:g} entrants")
    require_single_games("--until", options)
    return until


def _schedule_of(
    schedule: str | None,
    gauntlet: PlayerLike | None,
    infos: Sequence[PlayerInfo],
    catalogue: Catalogue,
) -> tuple[str, PlayerInfo | None]:
    """Return what results call the schedule, and the player of a gauntlet.

    That player may be named as an entrant is. Raises UsageError if both arguments are given.
    """
    if schedule is not None:
        if gauntlet is not None:
            raise UsageError("gauntlet PLAYER is schedule gauntlet:PLAYER: leave one of them out")
        catalogue.schedule(schedule)
        word, _, argument = schedule.partition(":")
        if word not in PLAIN_NAMES:
            return schedule, None
        gauntlet = argument or None
    if gauntlet is None:
        return PLAIN_NAMES["round-robin"], None
    by_name = {info.name: info for info in infos}
    by_name |= {short: by_name[name] for name, short in short_names(list(by_name)).items()}
    named = by_name.get(gauntlet) if isinstance(gauntlet, str) else None
    return PLAIN_NAMES["gauntlet"], named or get_entrant(gauntlet, catalogue)
