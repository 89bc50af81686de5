"""What the commands do, as functions; the command line calls these and prints their records.

A player is named as on the command line (``monkey``, ``./bot.py:choose``), or given as a PlayerInfo
or as a function ``choose(position, rng)``. Every function takes a ``catalogue``, by default all
that is installed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from arena import fights, schedule, tournaments
from arena.engines import choose_engines
from arena.errors import CannotEnumerate, UsageError, quoted
from arena.executors.base import usable_cores
from arena.fights import OnProgress
from arena.game import Game, Position
from arena.pairing import GameId, Pairing
from arena.player import PlayerInfo
from arena.plugin import Catalogue, load_catalogue
from arena.proof.outcome import MAX_POSITIONS, exact_result
from arena.proof.policy import Policy
from arena.proved import Certificate, CheckedFight, ExactResult, ExactTournament
from arena.results import FightResult, ForfeitedGame, ReplayReport, SprtReport, TournamentResult
from arena.rng import fresh_seed
from arena.stats import sprt as sequential
from arena.stats.chisquare import chi_square_p
from arena.stats.elo import elo_estimate, likelihood_of_superiority, moments, nelo_estimate

PlayerLike = str | PlayerInfo | Callable[..., Any]
GameLike = str | Game

DEFAULT_GAME = "tictactoe"
#: Pairs of a fight when nobody says how many.
DEFAULT_PAIRS = 100


def get_game(game: GameLike, catalogue: Catalogue | None = None) -> Game:
    """The game of that name, such as ``tictactoe``, ``mnk-5-4-4`` or ``connect4``.

    >>> get_game("mnk-3-3-3")
    <game tictactoe>
    """
    return game if isinstance(game, Game) else (catalogue or load_catalogue()).game(game)


def get_player(player: PlayerLike, catalogue: Catalogue | None = None) -> PlayerInfo:
    """The player of that name, in that file, or that plays by that function or class.

    >>> get_player("triples").claims
    ('never-loses:tictactoe',)
    """
    if isinstance(player, PlayerInfo):
        return player
    if isinstance(player, str):
        return (catalogue or load_catalogue()).player(player)
    if not callable(player):
        raise UsageError(f"a player is a name or a function, not {quoted(repr(player))}")
    name = getattr(player, "__name__", type(player).__name__)
    return PlayerInfo(name, player, stateless=not isinstance(player, type))


def fight(
    a: PlayerLike,
    b: PlayerLike,
    n: int = DEFAULT_PAIRS,
    *,
    game: GameLike = DEFAULT_GAME,
    seed: int | None = None,
    workers: int | None = None,
    engine: str = "auto",
    executor: str = "processes",
    catalogue: Catalogue | None = None,
    on_progress: OnProgress | None = None,
) -> FightResult:
    """Play n pairs of games, 2n games: in each pair both players move first once.

    The same seed gives the same result for any number of workers; without one a fresh one is drawn
    and stands in the result. ``engine`` is ``calls``, ``table`` or ``auto``, which takes tables for
    long fights of players that allow it. ``workers`` is the number of cores by default. On Ctrl-C
    it raises arena.fights.Interrupted, which has the result so far.

    >>> result = fight("monkey", "triples", n=50, seed=4)
    >>> result.total.wins, result.total.games, result.seed
    (0, 100, 4)
    """
    catalogue = catalogue or load_catalogue()
    players = [get_player(a, catalogue), get_player(b, catalogue)]
    meeting = [(players[0], players[1])]
    pairings = _pairings(meeting, n, get_game(game, catalogue), seed)
    crew = catalogue.executors.get(executor)(_workers(workers))
    engines = choose_engines(pairings, engine, crew)
    try:
        return fights.play_fights(engines, crew, on_progress)[0]
    except fights.Interrupted as interrupted:
        interrupted.partial = interrupted.results[0]
        raise


def tournament(
    players: Sequence[PlayerLike] = (),
    n: int = DEFAULT_PAIRS,
    *,
    gauntlet: PlayerLike | None = None,
    game: GameLike = DEFAULT_GAME,
    seed: int | None = None,
    workers: int | None = None,
    engine: str = "auto",
    executor: str = "processes",
    catalogue: Catalogue | None = None,
    on_progress: OnProgress | None = None,
) -> TournamentResult:
    """Play a round robin of n pairs a pairing, or a gauntlet of one player against the others.

    Without players, all installed ones that play the game. For the rest see :func:`fight`; each of
    its fights has the same games as that fight alone under the same seed.
    """
    catalogue = catalogue or load_catalogue()
    the_game = get_game(game, catalogue)
    infos = [get_player(player, catalogue) for player in players]
    if not infos:
        infos = _everybody(catalogue, the_game)
    challenger = get_player(gauntlet, catalogue) if gauntlet is not None else None
    meetings = _meetings(infos, challenger, the_game)
    pairings = _pairings(meetings, n, the_game, seed)
    crew = catalogue.executors.get(executor)(_workers(workers))
    engines = choose_engines(pairings, engine, crew)
    name = "round robin" if challenger is None else "gauntlet"
    try:
        played = fights.play_fights(engines, crew, on_progress)
    except fights.Interrupted as interrupted:
        interrupted.partial = tournaments.tournament_of(interrupted.results, name)
        raise
    return tournaments.tournament_of(played, name)


def distribution(
    player: PlayerLike,
    position: str | Position,
    *,
    game: GameLike = DEFAULT_GAME,
    catalogue: Catalogue | None = None,
) -> dict[int, Fraction]:
    """The exact probability of every move that a stateless player may make in a position.

    >>> distribution("tictactoe3", "____x____")
    {0: Fraction(1, 4), 2: Fraction(1, 4), 6: Fraction(1, 4), 8: Fraction(1, 4)}
    """
    from arena.proof import distribution as proof

    info = get_player(player, catalogue)
    if isinstance(position, str):
        position = get_game(game, catalogue).parse(position)
    info.require(position.game)
    if position.outcome() is not None:
        raise UsageError(f"the game is over in {str(position)!r}: there is no move to make")
    return proof.distribution(info, position)


def value(position: str | Position, *, game: GameLike = DEFAULT_GAME) -> int:
    """The value under perfect play, for the side to move: 0 for a draw, else the plies to its win,
    or to its loss as a negative number.

    CannotEnumerate for a position of a large game that cannot be solved quickly.

    >>> value("xo_______"), value("____x____"), value("_" * 25, game="tictactoe-5")
    (5, 0, 0)
    """
    from arena.proof import values

    if isinstance(position, str):
        position = get_game(game).parse(position)
    if position.outcome() is not None:
        raise UsageError(f"the game is over in {str(position)!r}: there is no move to make")
    return values.value(position)


def exact(
    a: PlayerLike,
    b: PlayerLike,
    *,
    game: GameLike = DEFAULT_GAME,
    max_positions: int = MAX_POSITIONS,
    catalogue: Catalogue | None = None,
) -> ExactResult:
    """The exact probabilities of a win, a draw and a loss of one stateless player against another.

    CannotEnumerate if a player's moves cannot be enumerated, or more than ``max_positions``
    positions can be reached.

    >>> str(exact("tictactoe3", "monkey").total.loss)
    '0'
    """
    catalogue = catalogue or load_catalogue()
    players = [get_player(a, catalogue), get_player(b, catalogue)]
    return _exact_results(players, get_game(game, catalogue), max_positions)[0]


def exact_tournament(
    players: Sequence[PlayerLike] = (),
    *,
    game: GameLike = DEFAULT_GAME,
    max_positions: int = MAX_POSITIONS,
    catalogue: Catalogue | None = None,
) -> ExactTournament:
    """The exact results of a round robin; without players, of all that can be enumerated."""
    catalogue = catalogue or load_catalogue()
    the_game = get_game(game, catalogue)
    infos = [get_player(player, catalogue) for player in players]
    left_out: dict[str, str] = {}
    if not infos:
        for info in _everybody(catalogue, the_game):
            try:
                Policy(info, the_game)(the_game.start())
                infos.append(info)
            except CannotEnumerate as error:
                left_out[info.name] = str(error)
    _meetings(infos, None, the_game)  # refuses too few, and one named twice
    results = _exact_results(infos, the_game, max_positions)
    return tournaments.exact_tournament_of(results, left_out)


def compare(fight: FightResult, exact: ExactResult) -> CheckedFight:
    """A sampled result beside the exact one, with the chi-square probability of the sample."""
    groups = [
        ((tally.wins, tally.draws, tally.losses), (chances.win, chances.draw, chances.loss))
        for tally, chances in ((fight.first, exact.first), (fight.second, exact.second))
    ]
    return CheckedFight(fight, exact, chi_square_p(groups))


def certify(
    player: PlayerLike,
    *,
    game: GameLike = DEFAULT_GAME,
    max_positions: int = MAX_POSITIONS,
    catalogue: Catalogue | None = None,
) -> Certificate:
    """Whether a player never loses, proved by walking every line against any opponent.

    >>> certify("triples").never_loses
    True
    >>> [step.move for step in certify("tictactoe2").second.losing_line]
    ['1', '3', '4', '7', '5', '6', '9']
    """
    from arena.proof import certificate

    catalogue = catalogue or load_catalogue()
    info = get_player(player, catalogue)
    return certificate.certify(info, get_game(game, catalogue), max_positions)


def sprt(
    counts: Sequence[int],
    *,
    elo0: float,
    elo1: float,
    alpha: float = 0.05,
    beta: float = 0.05,
    model: str = "logistic",
) -> SprtReport:
    """A sequential test on counts of games (lost, drawn, won) or of pairs (LL, LD, mid, WD, WW).

    >>> sprt([0, 1000, 0], elo0=0, elo1=5).decision
    'H0'
    """
    if len(counts) not in (3, 5) or min(counts) < 0:
        raise UsageError(f"counts {list(counts)} must be three of games or five of pairs, from 0")
    test = sequential.sprt(counts, elo0, elo1, alpha=alpha, beta=beta, model=model)
    elo, nelo = elo_estimate(counts), nelo_estimate(counts)
    total, mean, _ = moments(counts)
    reasons = {"llr": test.reason, "elo": elo.reason, "nelo": nelo.reason}
    return SprtReport(
        counts=tuple(counts),
        model=model,
        elo0=elo0,
        elo1=elo1,
        alpha=alpha,
        beta=beta,
        llr=test.llr,
        lower=test.lower,
        upper=test.upper,
        decision=test.decision,
        score=mean if total else None,
        elo=elo.value,
        elo_error=elo.error,
        nelo=nelo.value,
        nelo_error=nelo.error,
        los=likelihood_of_superiority(counts),
        reasons={name: reason for name, reason in reasons.items() if reason},
    )


def replay(game_id: str, *, catalogue: Catalogue | None = None) -> ReplayReport:
    """Play one game of a fight again, from its id.

    >>> replay("tictactoe/triples/minimax/7/12.2").players
    ('minimax', 'triples')
    """
    catalogue = catalogue or load_catalogue()
    named = GameId.parse(game_id)
    a, b = catalogue.player(named.a), catalogue.player(named.b)
    pairing = Pairing(catalogue.game(named.game), a, b, named.pair, named.seed)
    record = fights.play_one(pairing, named.engine, named.pair, named.swapped)
    names = pairing.names[::-1] if named.swapped else pairing.names
    position = pairing.game.start()
    pictures = [position.picture()]
    for move in record.moves:
        position = position.play(move)
        pictures.append(position.picture())
    forfeit = record.forfeit and ForfeitedGame(
        game_id, names[record.forfeit.side], record.forfeit.reason, record.forfeit.message
    )
    return ReplayReport(
        game_id=game_id,
        game=pairing.game.name,
        players=(names[0], names[1]),
        moves=tuple(map(pairing.game.format_move, record.moves)),
        pictures=tuple(pictures),
        outcome=record.outcome.value,
        forfeit=forfeit,
    )


def _everybody(catalogue: Catalogue, game: Game) -> list[PlayerInfo]:
    return [info for _, info in catalogue.players if info.plays(game)]


def _exact_results(
    players: Sequence[PlayerInfo], game: Game, max_positions: int
) -> list[ExactResult]:
    policies = [Policy(player, game) for player in players]
    return [exact_result(a, b, max_positions) for a, b in schedule.round_robin(policies)]


def _meetings(
    players: Sequence[PlayerInfo], challenger: PlayerInfo | None, game: Game
) -> list[tuple[PlayerInfo, PlayerInfo]]:
    names = [player.name for player in players]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise UsageError(f"player {quoted(twice[0])} is named twice")
    if challenger is not None:
        meetings = schedule.gauntlet(challenger, players)
    else:
        meetings = schedule.round_robin(players)
    if not meetings:
        raise UsageError(f"a tournament at {game.name} needs two players")
    return meetings


def _pairings(
    meetings: Sequence[tuple[PlayerInfo, PlayerInfo]], n: int, game: Game, seed: int | None
) -> list[Pairing]:
    root = fresh_seed() if seed is None else seed
    return [Pairing(game, a, b, n, root) for a, b in meetings]


def _workers(workers: int | None) -> int:
    if workers is not None and workers < 1:
        raise UsageError(f"there must be at least 1 worker, not {workers}")
    return workers or usable_cores()
