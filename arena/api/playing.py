"""Fights, tournaments, and games played again."""

from __future__ import annotations

from collections.abc import Sequence

from arena import fights, tournaments
from arena.api.naming import (
    DEFAULT_GAME,
    GameLike,
    PlayerLike,
    everybody,
    get_game,
    get_player,
    meetings_of,
)
from arena.engines import choose_engines
from arena.errors import UsageError
from arena.executors.base import usable_cores
from arena.fights import OnProgress
from arena.game import Game
from arena.pairing import GameId, Pairing
from arena.player import PlayerInfo
from arena.plugin import Catalogue, load_catalogue
from arena.results import FightResult, ForfeitedGame, ReplayReport, TournamentResult
from arena.rng import fresh_seed

#: Pairs of a fight when nobody says how many.
DEFAULT_PAIRS = 100


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
        infos = everybody(catalogue, the_game)
    challenger = get_player(gauntlet, catalogue) if gauntlet is not None else None
    meetings = meetings_of(infos, challenger, the_game)
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


def _pairings(
    meetings: Sequence[tuple[PlayerInfo, PlayerInfo]], n: int, game: Game, seed: int | None
) -> list[Pairing]:
    root = fresh_seed() if seed is None else seed
    return [Pairing(game, a, b, n, root) for a, b in meetings]


def _workers(workers: int | None) -> int:
    if workers is not None and workers < 1:
        raise UsageError(f"there must be at least 1 worker, not {workers}")
    return workers or usable_cores()
