"""Play fights: some pairs, or until a sequential test or a question is decided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack, cast

from arena.errors import UsageError, counted
from arena.features.fight.options import SprtOptions, UntilOptions
from arena.fights.choosing import require_engine
from arena.fights.pairing import RunSetting
from arena.fights.runs import play
from arena.game import Game
from arena.inputs.options import DEFAULT_CAP, DEFAULT_PAIRS, PAIRS, PlayOptions
from arena.inputs.questions import hypotheses_of
from arena.inputs.resolve import (
    PlayerLike,
    get_game,
    get_plain_game,
    get_player,
    open_catalogue,
    require_list,
)
from arena.kinds import check_value
from arena.model.defaults import DEFAULT_MARGIN
from arena.plugin.catalogue import Catalogue
from arena.records.fights import FightResult
from arena.runs.begin import begin_run, pairings_of
from arena.runs.services import require_costs
from arena.signatures import complete, takes

if TYPE_CHECKING:
    from arena.records.played import Played
    from arena.records.proofs import CheckedFight
    from arena.records.sequential import SprtFight
    from arena.records.tables import TablesResult
    from arena.records.until import UntilFight


@takes(PlayOptions)
def fight(
    a: PlayerLike, b: PlayerLike, n: int = DEFAULT_PAIRS, **options: Unpack[PlayOptions]
) -> FightResult:
    """Play n pairs of games, 2n games: in each pair both players move first once.

    The same seed gives the same result for any number of workers; without one a fresh one is drawn
    and stands in the result. ``engine`` is ``calls``, ``table``, ``batch`` or ``auto``, which takes
    batches where both players offer them, and tables for long fights of players that allow it.
    ``workers`` is the number of cores by default. On Ctrl-C, and if a player stays unavailable, it
    raises arena.Interrupted, which has the result so far. With a ``store`` every game is kept in
    that file, no table plays, and :func:`resume` goes on with a run that was ended in whatever way.
    If the store has the same run, complete, that is returned and nothing is played, unless
    ``again``; the same means the same code
    of the players, and the seed if one is given.

    Games begin from ``openings`` (:func:`arena.fights.openings.openings_of`), both of a pair from
    the same one; with ``adjudicate="draws"`` they end when they can only be drawn, with
    ``resign="600:3"`` or ``draw="10:8:40"`` when engines' scores say so
    (:mod:`arena.records.adjudication`). ``count_forfeits`` is ``all``, or ``none``: then nothing of
    a pair with a forfeit counts in intervals, tests and ratings but that the player that forfeited
    has lost both games, so that no player gains by it.

    A player that forfeits its first 20 games for one reason ends a fight there, which is then not
    complete; it forfeits the rest of a tournament unplayed. With ``keep_going`` all is played.

    ``progress`` shows a bar while games are played, in a terminal or a notebook.

    Moves are looked up in ``certificates``, files of which each names one of the players; what is
    not in there stands in the result's ``deviations``.

    Files and programs play in processes of their own, under the limits of the ``isolation``: a tier
    (``"none"`` for files that are your own), or an Isolation. A player has other limits than the
    rest if the Isolation says so in ``players``, or if it comes from
    ``get_player(name, isolation=...)``.

    >>> result = fight("monkey", "triples", n=50, seed=4)
    >>> result.total.wins, result.total.games, result.seed
    (0, 100, 4)
    """
    options, n = complete(fight, options), check_value("n", PAIRS, n)
    catalogue, game = _open(options)
    both = (get_player(a, catalogue), get_player(b, catalogue))
    pairings = pairings_of([both], n, game, options, catalogue)
    with begin_run(RunSetting("fight"), pairings, options, catalogue) as run:
        return cast("FightResult", play(**vars(run)))


@takes(PlayOptions)
def table_fight(
    players: Sequence[PlayerLike], n: int = DEFAULT_PAIRS, **options: Unpack[PlayOptions]
) -> TablesResult:
    """Play n blocks at one table of a game for more than two.

    A block has a game for each of the ``seatings``: with ``rotations`` as many as there are seats,
    so that every player sits once in every seat; with ``all`` one for each order. All its games
    have the same luck. A player that forfeits gets the least payoff, and the others play on if the
    game can do without it. For the rest see :func:`fight`.

    >>> result = table_fight(["monkey"] * 3, n=20, game="mnk-4-4-3-x3", seed=1)
    >>> result.games, [round(row.payoff, 2) for row in result.standings]
    (60, [0.41, 0.33, 0.26])
    """
    options, n = complete(table_fight, options), check_value("n", PAIRS, n)
    require_list(players, "a table")
    catalogue, game = _open(options)
    if game.seats == 2:
        raise UsageError(f"{game.name} is for two: arena.fight plays it in Python")
    infos = [get_player(player, catalogue) for player in players]
    if len(infos) != game.seats:
        named = counted(len(infos), "player")
        raise UsageError(f"{game.name} has {game.seats} seats, not {named}")
    pairings = pairings_of([infos], n, game, options, catalogue)
    with begin_run(RunSetting("fight"), pairings, options, catalogue) as run:
        return cast("TablesResult", play(**vars(run)))


@takes(PlayOptions)
def checked_fight(
    a: PlayerLike, b: PlayerLike, n: int = DEFAULT_PAIRS, **options: Unpack[PlayOptions]
) -> CheckedFight:
    """Play a fight as :func:`fight` does, and compare it with the exact result of the pairing.

    The exact result is found first. Raises what :func:`arena.exact` raises.

    >>> checked_fight("triples", "monkey", n=50, seed=4).fight.total.losses
    0
    """
    from arena.features.exact.function import (  # a fight without proofs need not wait for them
        compare,
        exact,
    )

    options = complete(checked_fight, options)
    catalogue = open_catalogue(options["catalogue"], options["isolation"])
    options["game"] = game = get_plain_game(
        options["game"], "--exact, unlike arena exact,", catalogue
    )
    expected = exact(
        a,
        b,
        game=game,
        openings=options["openings"],
        workers=options["workers"],
        executor=options["executor"],
        catalogue=catalogue,
    )
    players = get_player(a, catalogue), get_player(b, catalogue)
    return compare(fight(*players, n, **options), expected)


@takes(SprtOptions)
def sprt_fight(
    a: PlayerLike, b: PlayerLike, n: int = DEFAULT_CAP, **options: Unpack[SprtOptions]
) -> SprtFight:
    """Play pairs until a sequential test decides between two differences in Elo, at most n pairs.

    The Elo is A's against B. For the rest see :func:`fight`; the pairs are those of that fight
    under the same seed, as many as it takes.

    >>> sprt_fight("heuristic", "monkey", elo0=0, elo1=50, seed=1).test.decision
    'H1'
    """
    options = complete(sprt_fight, options)
    setting = RunSetting("fight", hypotheses_of(options))
    return cast("SprtFight", _play_until("--sprt", setting, (a, b), n, options))


@takes(UntilOptions)
def until_fight(
    a: PlayerLike, b: PlayerLike, n: int = DEFAULT_CAP, **options: Unpack[UntilOptions]
) -> UntilFight:
    """Play pairs until the interval of A's score answers a question, at most n pairs.

    ``until`` is ``"better"``: the interval excludes a half, or with a ``margin`` lies within the
    margin around it, in points per game; or a half-width such as ``"±2%"`` or 0.02. With
    ``"cheapest"`` it ends once it is sure whether the player that costs less is worse by more than
    the ``margin``, 0.02 unless it is given; a player that is no language model costs nothing.

    The interval holds at every look (:mod:`arena.stats.anytime`), so ``alpha`` is the probability
    of a wrong answer, over all looks together. For the rest see :func:`fight`; the pairs are those
    of that fight under the same seed, as many as it takes.

    >>> until_fight("heuristic", "monkey", until="better", seed=1).report.decision
    'better'
    """
    # A fight of n pairs has no question.
    from arena.records.until import CHEAPEST, OF_FIGHTS, read_until

    options = complete(until_fight, options)
    margin, alpha = options["margin"], options["alpha"]
    if margin is None and options["until"] == CHEAPEST:
        margin = DEFAULT_MARGIN
    until = read_until(str(options["until"]), OF_FIGHTS, margin=margin, alpha=alpha)
    setting = RunSetting("fight", until=until)
    return cast("UntilFight", _play_until("--until", setting, (a, b), n, options))


def _play_until(
    option: str, setting: RunSetting, players: tuple[PlayerLike, PlayerLike], n: int, options: Any
) -> Played:
    """Play a fight that a rule ends, which looks at it after every few pairs."""
    n = check_value("n", PAIRS, n)
    require_single_games(option, options)
    catalogue, game = _open(options)
    if setting.sprt is not None and game.is_paid and setting.sprt.model != "normalized":
        raise UsageError(
            f"{game.name} pays {game.payoffs.unit}, and logistic Elo is of wins, draws and losses:"
            " choose --model normalized"
        )
    both = (get_player(players[0], catalogue), get_player(players[1], catalogue))
    pairings = pairings_of([both], n, game, options, catalogue)
    if setting.until is not None and setting.until.compares_costs:
        require_costs(both)
    with begin_run(setting, pairings, options, catalogue) as run:
        return play(**vars(run))


def require_single_games(option: str, options: PlayOptions) -> None:
    """Raise UsageError if an engine without single games is asked for."""
    require_engine(options["engine"])
    if options["engine"] == "table":
        many = "plays a few games at a time, and the engine 'table' many at once"
        raise UsageError(f"{option} {many}")


def _open(options: PlayOptions) -> tuple[Catalogue, Game]:
    """Return the catalogue and the game of a fight."""
    catalogue = open_catalogue(options["catalogue"], options["isolation"])
    game = get_game(options["game"], catalogue)
    return catalogue.for_game(game), game
