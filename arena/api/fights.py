"""Fights, tournaments, and games played again."""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from arena.api.common import (
    DEFAULT_GAME,
    GameLike,
    IsolationLike,
    OpeningsLike,
    PlayerLike,
    get_entrant,
    get_game,
    get_openings,
    get_player,
    meetings_of,
    open_catalogue,
)
from arena.errors import UsageError, quoted
from arena.executors.base import Executor, usable_cores
from arena.executors.supervised import make_executor
from arena.fights import runs
from arena.fights.engines import choose_engines, require_engine
from arena.fights.openings import Openings
from arena.fights.pairing import GameId, Pairing, Setting
from arena.fights.play import OnProgress, play_one
from arena.fights.replays import read_replay, report_of
from arena.fights.runs import Played
from arena.game import Game
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.proof.outcome import MAX_POSITIONS
from arena.records.base import Json
from arena.records.fights import FightResult
from arena.records.replays import ReplayReport
from arena.records.sequential import Hypotheses, SprtFight
from arena.records.tournaments import TournamentResult
from arena.rng import fresh_seed
from arena.store.real_fights import fight_for_real

if TYPE_CHECKING:
    from arena.proof.certificate_file import CertificateFile

#: Pairs of a fight when nobody says how many.
DEFAULT_PAIRS = 100
#: The most pairs of a fight that a sequential test ends, when nobody says how many.
DEFAULT_CAP = 20_000

#: The file of a store.
StoreLike = str | os.PathLike[str]


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
    openings: OpeningsLike | None = None,
    adjudicate: str = "none",
    count_forfeits: str = "all",
    certificates: Sequence[str | os.PathLike[str]] = (),
    store: StoreLike | None = None,
    isolation: IsolationLike | None = None,
    catalogue: Catalogue | None = None,
    on_progress: OnProgress | None = None,
) -> FightResult:
    """Play n pairs of games, 2n games: in each pair both players move first once.

    The same seed gives the same result for any number of workers; without one a fresh one is drawn
    and stands in the result. ``engine`` is ``calls``, ``table`` or ``auto``, which takes tables for
    long fights of players that allow it. ``workers`` is the number of cores by default. On Ctrl-C
    it raises arena.Interrupted, which has the result so far. With a ``store`` every game is
    kept in that file, all moves are asked for by calls, and :func:`resume` goes on with a run that
    was ended in whatever way.

    Games begin from ``openings`` (:func:`arena.fights.openings.openings_of`), both of a pair from
    the same one; with ``adjudicate="draws"`` they end when they can only be drawn.
    ``count_forfeits`` is
    ``all``, or ``none``: then nothing of a pair with a forfeit counts in intervals, tests and
    ratings but that who forfeited has lost both games, so that nobody gains by it.

    Moves are looked up in ``certificates``, files of which each names one of the players; what is
    not in there stands in the result's ``deviations``.

    Files and programs play in processes of their own, under the limits of the ``isolation``: a tier
    (``"none"`` for files that are your own), or an Isolation. Who should have other limits than the
    rest comes from ``get_player(name, isolation=...)``.

    >>> result = fight("monkey", "triples", n=50, seed=4)
    >>> result.total.wins, result.total.games, result.seed
    (0, 100, 4)
    """
    catalogue = open_catalogue(catalogue, isolation)
    meeting = (get_player(a, catalogue), get_player(b, catalogue))
    the_game = get_game(game, catalogue)
    options = _options(the_game, openings, adjudicate, count_forfeits)
    pairings = _pairings([meeting], n, the_game, seed, options)
    pairings = _certified(pairings, certificates, store, catalogue)
    crew = make_crew(catalogue, executor, workers)
    played = _play(Setting("fight"), pairings, crew, engine, store, on_progress)
    assert isinstance(played, FightResult)
    return played


def sprt_fight(
    a: PlayerLike,
    b: PlayerLike,
    n: int = DEFAULT_CAP,
    *,
    elo0: float = 0,
    elo1: float = 10,
    alpha: float = 0.05,
    beta: float = 0.05,
    model: str = "logistic",
    game: GameLike = DEFAULT_GAME,
    seed: int | None = None,
    workers: int | None = None,
    executor: str = "processes",
    openings: OpeningsLike | None = None,
    adjudicate: str = "none",
    count_forfeits: str = "all",
    certificates: Sequence[str | os.PathLike[str]] = (),
    store: StoreLike | None = None,
    isolation: IsolationLike | None = None,
    catalogue: Catalogue | None = None,
    on_progress: OnProgress | None = None,
) -> SprtFight:
    """Play pairs until a sequential test decides between two differences in Elo, at most n pairs.

    The Elo is A's against B. For the rest see :func:`fight`; the pairs are those of that fight
    under the same seed, as many as it takes.

    >>> sprt_fight("heuristic", "monkey", elo0=0, elo1=50, seed=1).test.decision
    'H1'
    """
    catalogue = open_catalogue(catalogue, isolation)
    meeting = (get_player(a, catalogue), get_player(b, catalogue))
    the_game = get_game(game, catalogue)
    options = _options(the_game, openings, adjudicate, count_forfeits)
    pairings = _pairings([meeting], n, the_game, seed, options)
    pairings = _certified(pairings, certificates, store, catalogue)
    crew = make_crew(catalogue, executor, workers)
    setting = Setting("fight", Hypotheses(elo0, elo1, alpha, beta, model))
    played = _play(setting, pairings, crew, "calls", store, on_progress)
    assert isinstance(played, SprtFight)
    return played


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
    openings: OpeningsLike | None = None,
    adjudicate: str = "none",
    count_forfeits: str = "all",
    certificates: Sequence[str | os.PathLike[str]] = (),
    store: StoreLike | None = None,
    isolation: IsolationLike | None = None,
    catalogue: Catalogue | None = None,
    on_progress: OnProgress | None = None,
) -> TournamentResult:
    """Play a round robin of n pairs a pairing, or a gauntlet of one player against the others.

    Without players, all installed ones that play the game. Who is in a file that does not load is
    withdrawn. For the rest see :func:`fight`; each of
    its fights has the same games as that fight alone under the same seed.
    """
    catalogue = open_catalogue(catalogue, isolation)
    the_game = get_game(game, catalogue)
    infos = [get_entrant(player, catalogue) for player in players]
    if not infos:
        infos = catalogue.everybody(the_game)
    challenger = get_entrant(gauntlet, catalogue) if gauntlet is not None else None
    meetings = meetings_of(infos, challenger, the_game)
    options = _options(the_game, openings, adjudicate, count_forfeits)
    pairings = _pairings(meetings, n, the_game, seed, options)
    pairings = _certified(pairings, certificates, store, catalogue)
    crew = make_crew(catalogue, executor, workers)
    setting = Setting("round robin" if challenger is None else "gauntlet")
    played = _play(setting, pairings, crew, engine, store, on_progress)
    assert isinstance(played, TournamentResult)
    return played


def replay(
    game: str,
    *,
    isolation: IsolationLike | None = None,
    catalogue: Catalogue | None = None,
) -> ReplayReport:
    """Play one game of a fight again, from its id; or read one that was saved, from its file.

    >>> replay("tictactoe/triples/minimax/7/12.2").players
    ('minimax', 'triples')
    """
    catalogue = open_catalogue(catalogue, isolation)
    if os.path.lexists(game):  # a folder or a device is told, too
        return read_replay(Path(game), catalogue)
    return replay_of(game, *named_game(game, catalogue))


def named_game(game_id: str, catalogue: Catalogue) -> tuple[GameId, Pairing]:
    """Return what a game's id says, and the pairing that the game is of."""
    named = GameId.parse(game_id)
    a, b = catalogue.player(named.a), catalogue.player(named.b)
    pairing = Pairing(catalogue.game(named.game), a, b, named.pair, named.seed)
    if named.opening:
        start = pairing.game.parse(named.opening)
        pairing = replace(pairing, openings=Openings(named.opening, (start,)))
    return named, pairing


def replay_of(game_id: str, named: GameId, pairing: Pairing) -> ReplayReport:
    """Play that one game."""
    record = play_one(pairing, named.engine, named.pair, named.swapped)
    names = pairing.names[::-1] if named.swapped else pairing.names
    return report_of(
        pairing.game,
        (names[0], names[1]),
        *record,
        game_id=game_id,
        seed=named.seed,
        opening=pairing.opening(named.pair),
    )


def _options(
    game: Game, openings: OpeningsLike | None, adjudicate: str, count_forfeits: str
) -> Json:
    """The fields of a pairing that not every pairing has."""
    return {
        "openings": get_openings(openings, game),
        "adjudicate": adjudicate,
        "count_forfeits": count_forfeits,
    }


def _pairings(
    meetings: Sequence[tuple[PlayerInfo, PlayerInfo]],
    n: int,
    game: Game,
    seed: int | None,
    options: Json,
) -> list[Pairing]:
    root = fresh_seed() if seed is None else seed
    return [Pairing(game, a, b, n, root, **options) for a, b in meetings]


def _certified(
    pairings: list[Pairing],
    files: Sequence[str | os.PathLike[str]],
    store: StoreLike | None,
    catalogue: Catalogue,
) -> list[Pairing]:
    """The pairings with the certificates in these files, each for the player that it names."""
    if not files:
        return pairings
    from arena.proof.certificate_file import read_certificate

    if store is not None:
        raise UsageError("a store does not keep certificates: leave --certificate or --store out")
    certificates: dict[str, CertificateFile] = {}
    names = {player.name for pairing in pairings for player in (pairing.a, pairing.b)}
    for file in files:
        found = read_certificate(Path(file), catalogue.game)
        problem = _problem(found, pairings[0].game, names, certificates)
        if problem:
            raise UsageError(f"certificate {quoted(str(file))}: {problem}")
        certificates[found.player] = found
    return [
        replace(p, certificates=(certificates.get(p.a.name), certificates.get(p.b.name)))
        for p in pairings
    ]


def _problem(
    certificate: CertificateFile, game: Game, names: Iterable[str], known: Container[str]
) -> str:
    """Why a certificate says nothing about these players; empty if it does."""
    from arena.proof.checker import CertificateError, check_certificate

    if certificate.game.name != game.name:
        return f"it is for {certificate.game.name}, not {game.name}"
    if certificate.player not in names:
        return f"it names {quoted(certificate.player)}, which does not play"
    if certificate.player in known:
        return f"it is the second one for {quoted(certificate.player)}"
    try:
        check_certificate(certificate, MAX_POSITIONS)
    except CertificateError as error:
        return str(error)
    return ""


def make_crew(catalogue: Catalogue, executor: str, workers: int | None) -> Executor:
    """The executor of that name with so many workers, by default as many as there are cores."""
    if workers is not None and workers < 1:
        raise UsageError(f"there must be at least 1 worker, not {workers}")
    make = catalogue.executors.get(executor)
    return make_executor(executor, make, workers or usable_cores())


def _play(
    setting: Setting,
    pairings: Sequence[Pairing],
    crew: Executor,
    engine: str,
    store: StoreLike | None,
    on_progress: OnProgress | None,
) -> Played:
    if store is None:
        engines = choose_engines(pairings, engine, crew, fight_for_real)
        return runs.play(setting, engines, crew, on_progress)
    require_engine(engine)
    if engine == "table":
        raise UsageError("a store keeps every game, and the engine 'table' has no single games")
    from arena.store.journal import Journal
    from arena.store.sql import Store

    with Journal.begin(Store(store, create=True), setting, pairings) as journal:
        engines = choose_engines(pairings, "calls", crew)
        return runs.play(setting, engines, crew, on_progress, journal)
