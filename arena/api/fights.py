"""Play fights and tournaments."""

from __future__ import annotations

import logging
import os
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack, cast

from arena import escape
from arena.api.bars import with_bar
from arena.api.common import (
    PlayerLike,
    get_entrant,
    get_game,
    get_openings,
    get_player,
    get_ruled_game,
    meetings_of,
    open_catalogue,
    require_clocks,
    require_limited,
    warn_of_limits,
)
from arena.api.options import (
    USUAL,
    USUAL_OF_TOURNAMENTS,
    PlayOptions,
    SprtOptions,
    TournamentOptions,
    UntilOptions,
    hypotheses_of,
    question_of,
)
from arena.api.rounds import rounds_of
from arena.errors import UsageError, quoted
from arena.executors.base import Executor, usable_cores
from arena.executors.supervised import make_executor
from arena.fights import runs
from arena.fights.choosing import by_batch, choose_engines, require_engine
from arena.fights.counts import Counts
from arena.fights.engines import Engine
from arena.fights.pairing import Pairing, Setting
from arena.fights.play import OnProgress
from arena.fights.rounds import Rounds
from arena.fights.schedule import PLAIN
from arena.game import Game
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.plugin.observers import Observers
from arena.proof.limit import MAX_POSITIONS
from arena.records.adjudication import Adjudication
from arena.records.base import Json
from arena.records.fights import FightResult
from arena.rng import fresh_seed
from arena.schedules import MOST_MEETINGS
from arena.signatures import complete, plain, takes
from arena.store.real_fights import fight_for_real

if TYPE_CHECKING:
    from arena.proof.certificate_file import CertificateFile
    from arena.records.played import Played
    from arena.records.proofs import CheckedFight
    from arena.records.sequential import SprtFight
    from arena.records.tournaments import TournamentResult
    from arena.records.until import Until, UntilFight
    from arena.store.journal import Journal
    from arena.store.sql import Store

logger = logging.getLogger(__name__)

#: Pairs of a fight when nobody says how many.
DEFAULT_PAIRS = 100
#: The most pairs of a fight that a sequential test ends, when nobody says how many.
DEFAULT_CAP = 20_000


@takes(PlayOptions, USUAL)
def fight(
    a: PlayerLike, b: PlayerLike, n: int = DEFAULT_PAIRS, **options: Unpack[PlayOptions]
) -> FightResult:
    """Play n pairs of games, 2n games: in each pair both players move first once.

    The same seed gives the same result for any number of workers; without one a fresh one is drawn
    and stands in the result. ``engine`` is ``calls``, ``table``, ``batch`` or ``auto``, which takes
    batches where all players offer them, and tables for long fights of players that allow it.
    ``workers`` is the number of cores by default. On Ctrl-C it raises arena.Interrupted, which has
    the result so far. With a ``store`` every game is kept in that file, no table plays, and
    :func:`resume` goes on with a run that was ended in whatever way. If the store has the same run,
    complete, that is returned and nothing is played, unless ``again``; the same means the same code
    of the players, and the seed if one is given.

    Games begin from ``openings`` (:func:`arena.fights.openings.openings_of`), both of a pair from
    the same one; with ``adjudicate="draws"`` they end when they can only be drawn, with
    ``resign="600:3"`` or ``draw="10:8:40"`` when engines' scores say so
    (:mod:`arena.records.adjudication`). ``count_forfeits`` is ``all``, or ``none``: then nothing of
    a pair with a forfeit counts in intervals, tests and ratings but that who forfeited has lost
    both games, so that nobody gains by it.

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
    chosen = complete(fight, options)
    catalogue, game = _open(chosen)
    meeting = (get_player(a, catalogue), get_player(b, catalogue))
    pairings = _pairings([meeting], n, game, chosen, catalogue)
    with _begun(Setting("fight"), pairings, chosen, catalogue) as run:
        return cast("FightResult", runs.play(*run))


@takes(PlayOptions, USUAL)
def checked_fight(
    a: PlayerLike, b: PlayerLike, n: int = DEFAULT_PAIRS, **options: Unpack[PlayOptions]
) -> CheckedFight:
    """Play a fight as :func:`fight` does, and compare it with the exact result of the pairing.

    The exact result is found first. Raises what :func:`arena.exact` raises.

    >>> checked_fight("triples", "monkey", n=50, seed=4).fight.total.losses
    0
    """
    from arena.api.proofs import compare, exact  # a fight without proofs need not wait for them

    chosen = complete(checked_fight, options)
    catalogue = open_catalogue(chosen["catalogue"], chosen["isolation"])
    chosen["game"] = game = get_ruled_game(chosen["game"], catalogue)
    expected = exact(
        a,
        b,
        game=game,
        openings=chosen["openings"],
        workers=chosen["workers"],
        executor=chosen["executor"],
        catalogue=catalogue,
    )
    players = get_player(a, catalogue), get_player(b, catalogue)
    return compare(fight(*players, n, **chosen), expected)


@takes(SprtOptions, USUAL)
def sprt_fight(
    a: PlayerLike, b: PlayerLike, n: int = DEFAULT_CAP, **options: Unpack[SprtOptions]
) -> SprtFight:
    """Play pairs until a sequential test decides between two differences in Elo, at most n pairs.

    The Elo is A's against B. For the rest see :func:`fight`; the pairs are those of that fight
    under the same seed, as many as it takes.

    >>> sprt_fight("heuristic", "monkey", elo0=0, elo1=50, seed=1).test.decision
    'H1'
    """
    chosen = complete(sprt_fight, options)
    setting = Setting("fight", hypotheses_of(chosen))
    return cast("SprtFight", _watched("--sprt", setting, (a, b), n, chosen))


@takes(UntilOptions, USUAL)
def until_fight(
    a: PlayerLike, b: PlayerLike, n: int = DEFAULT_CAP, **options: Unpack[UntilOptions]
) -> UntilFight:
    """Play pairs until the interval of A's score answers a question, at most n pairs.

    ``until`` is ``"better"``: the interval excludes a half, or with a ``margin`` lies within the
    margin around it, in points per game; or a half-width such as ``"±2%"`` or 0.02. The interval
    holds at every look (:mod:`arena.stats.anytime`), so ``alpha`` is the probability of a wrong
    answer, over all looks together. For the rest see :func:`fight`; the pairs are those of that
    fight under the same seed, as many as it takes.

    >>> until_fight("heuristic", "monkey", until="better", seed=1).report.decision
    'better'
    """
    from arena.records.until import OF_FIGHTS, read_until  # a fight of n pairs has no question

    chosen = complete(until_fight, options)
    margin, alpha = chosen["margin"], chosen["alpha"]
    until = read_until(str(chosen["until"]), OF_FIGHTS, margin=margin, alpha=alpha)
    setting = Setting("fight", until=until)
    return cast("UntilFight", _watched("--until", setting, (a, b), n, chosen))


def _watched(
    option: str, setting: Setting, players: tuple[PlayerLike, PlayerLike], n: int, chosen: Any
) -> Played:
    """Play a fight that a rule ends, which looks at it after every few pairs."""
    _require_single_games(option, chosen)
    catalogue, game = _open(chosen)
    meeting = (get_player(players[0], catalogue), get_player(players[1], catalogue))
    pairings = _pairings([meeting], n, game, chosen, catalogue)
    with _begun(setting, pairings, chosen, catalogue) as run:
        return runs.play(*run)


@takes(TournamentOptions, USUAL_OF_TOURNAMENTS)
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
    ``swiss:R``, ``knockout``, or one of a plugin.
    Without players, all installed ones that play the game. A folder stands for the players in it,
    and ``contest.toml`` for the entrants and the options in that file (:func:`read_contest`), of
    which an option that is given here takes the place. Who is in a file that does not load is
    withdrawn. For the rest see :func:`fight`; each of
    its fights has the same games as that fight alone under the same seed.

    ``until`` ends a round robin as soon as a question is answered: ``"best"``, ``"top:K"`` or
    ``"order"``, by the mean of an entrant's scores against each other one. Then ``n`` is the most
    pairs of a pairing, and rounds go where a game tells most. The answer is wrong with a
    probability of at most ``alpha``, 0.05 unless it is given. Entrants whose means differ by no
    more than the ``margin``, 0.02 points per game, need not be told apart.
    """
    from arena.api.entrants import enter  # a fight need not wait for it

    chosen = complete(tournament, options)
    catalogue = open_catalogue(chosen["catalogue"], chosen["isolation"])
    entered = enter(players, catalogue)
    contest = entered.contest
    if contest is not None:
        chosen = complete(tournament, cast("TournamentOptions", {**contest.options, **options}))
        catalogue = catalogue.isolated(contest.isolated(catalogue.isolation))
        n = contest.n if n is None else n
        if gauntlet is None and schedule is None:
            gauntlet, schedule = contest.gauntlet, contest.schedule
    game = get_game(chosen["game"], catalogue)
    catalogue = catalogue.at(game)
    infos = [get_entrant(p, catalogue) for p in entered.players] or catalogue.everybody(game)
    kind, challenger = _scheduled(schedule, gauntlet, infos, catalogue)
    until = _asked(chosen, kind, len(infos))
    meetings = meetings_of(infos, challenger, game)
    require_limited(catalogue.isolation, infos if challenger is None else [*infos, challenger])
    setting = Setting(kind, contest=contest.file if contest else None, until=until)
    usual = DEFAULT_PAIRS if until is None else DEFAULT_CAP
    pairs = usual if n is None else n
    if setting.is_scheduled:
        pairs *= MOST_MEETINGS
        _require_single_games(f"schedule {quoted(kind)}", chosen)
    pairings = _pairings(meetings, pairs, game, chosen, catalogue)
    if setting.is_scheduled and (rounds := rounds_of(setting, pairings, catalogue)) is not None:
        rounds.next_round([Counts() for _ in pairings])  # before anything of it is kept
    with _begun(setting, pairings, chosen, catalogue) as run:
        return cast("TournamentResult", runs.play(*run))


def _asked(chosen: TournamentOptions, schedule: str, entrants: int) -> Until | None:
    """Return the question of a tournament.

    Raises UsageError where it does not go with the schedule, the entrants or the engine.
    """
    until = question_of(chosen)
    if until is None:
        return None
    if schedule != PLAIN["round-robin"]:
        raise UsageError(f"--until goes with schedule round-robin, not with {schedule}")
    from arena.records.until import TOP

    if until.question == TOP and (until.number or 0) >= max(2, entrants):
        raise UsageError(f"--until {until} needs more than {until.number:g} entrants")
    _require_single_games("--until", chosen)
    return until


def _require_single_games(option: str, chosen: PlayOptions) -> None:
    """Raise UsageError if an engine without single games is asked for."""
    require_engine(chosen["engine"])
    if chosen["engine"] == "table":
        many = "plays a few games at a time, and the engine 'table' many at once"
        raise UsageError(f"{option} {many}")


def _scheduled(
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
        if word not in PLAIN:
            return schedule, None
        gauntlet = argument or None
    if gauntlet is None:
        return PLAIN["round-robin"], None
    known = {info.name: info for info in infos}
    named = known.get(gauntlet) if isinstance(gauntlet, str) else None
    return PLAIN["gauntlet"], named or get_entrant(gauntlet, catalogue)


def _open(chosen: PlayOptions) -> tuple[Catalogue, Game]:
    """Return the catalogue and the game of a fight."""
    catalogue = open_catalogue(chosen["catalogue"], chosen["isolation"])
    game = get_game(chosen["game"], catalogue)
    return catalogue.at(game), game


def _pairings(
    meetings: Sequence[tuple[PlayerInfo, PlayerInfo]],
    n: int,
    game: Game,
    chosen: PlayOptions,
    catalogue: Catalogue,
) -> list[Pairing]:
    """Return the pairing of each meeting, with the certificates of its players."""
    n = cast("int", plain("n", n, "int"))
    require_clocks(catalogue.isolation, {id(p): p for both in meetings for p in both}.values())
    seed, openings = chosen["seed"], get_openings(chosen["openings"], game)
    root = fresh_seed() if seed is None else seed
    if openings is not None:
        openings.check(game, root, n)
    ends = Adjudication.read(chosen["adjudicate"], chosen["resign"], chosen["draw"])
    options: Json = {"adjudication": ends, "openings": openings}
    options["count_forfeits"] = chosen["count_forfeits"]
    options["keep_going"] = chosen["keep_going"]
    options["plugins"] = catalogue.files
    pairings = [Pairing(game, a, b, n, root, **options) for a, b in meetings]
    warn_of_limits(catalogue.isolation, chain.from_iterable(meetings))
    files = chosen["certificates"]
    if files and chosen["store"] is not None:
        raise UsageError("a store does not keep certificates: leave --certificate or --store out")
    if files:
        pairings = _certified(pairings, files, catalogue)
    return by_batch(pairings, chosen["engine"])


def _certified(
    pairings: list[Pairing], files: Sequence[str | os.PathLike[str]], catalogue: Catalogue
) -> list[Pairing]:
    """Return the pairings with the certificates in these files, each for the player it names."""
    from arena.proof.certificate_file import read_certificate

    if isinstance(files, (str, os.PathLike)):
        files = [files]

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
    """Return why a certificate does not apply to these players; empty if it does."""
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
    """Make the executor of that name with this many workers, by default one per core.

    A text may stand after its name and a colon, as in ``dask:tcp://host:8786``.
    """
    if workers is not None and workers < 1:
        raise UsageError(f"there must be at least 1 worker, not {workers}")
    name, colon, text = executor.partition(":")
    make = catalogue.executors.get(name).maker(name, colon, text)
    return make_executor(name, make, workers or usable_cores())


#: The arguments of :func:`arena.fights.runs.play`.
_Run = tuple[
    Setting,
    Sequence[Engine],
    Executor,
    OnProgress | None,
    "Journal | None",
    Observers,
    Rounds | None,
]


@contextmanager
def _begun(
    setting: Setting, pairings: Sequence[Pairing], chosen: PlayOptions, catalogue: Catalogue
) -> Iterator[_Run]:
    """Begin a run, in its store if it has one, and have everything ready that plays it."""
    crew = make_crew(catalogue, chosen["executor"], chosen["workers"])
    engine, store, on_progress = chosen["engine"], chosen["store"], chosen["on_progress"]
    observers = with_bar(catalogue.observers, chosen["progress"])
    if store is None:
        rounds = rounds_of(setting, pairings, catalogue)
        looks = setting.aim is not None or setting.is_scheduled
        usual = "calls" if looks else engine
        engines = choose_engines(pairings, usual, crew, fight_for_real)
        yield setting, engines, crew, on_progress, None, observers, rounds
        return
    require_engine(engine)
    if engine == "table":
        raise UsageError("a store keeps every game, and the engine 'table' has no single games")
    from arena.store.sql import Store

    found, setting = _journal(Store(store, create=True), setting, pairings, chosen)
    with found as journal:
        rounds = rounds_of(setting, journal.pairings, catalogue)
        engines = choose_engines(journal.pairings, "calls", crew)
        yield setting, engines, crew, on_progress, journal, observers, rounds


def _journal(
    file: Store, setting: Setting, pairings: Sequence[Pairing], chosen: PlayOptions
) -> tuple[Journal, Setting]:
    """Return the journal of the complete run that is the same, and say so, or of a new run."""
    from arena.store.again import same_run
    from arena.store.journal import Journal

    same = None
    if not chosen["again"]:
        same = same_run(file, setting, pairings, any_seed=chosen["seed"] is None)
    if same is None:
        return Journal.begin(file, setting, pairings), setting
    address = f"run {same.number} of {quoted(file.name)} is the same"
    if same.finished is None:
        hint = f"arena: {address} and not complete: arena resume goes on with it"
        logger.warning("%s", escape.line(hint))
        return Journal.begin(file, setting, pairings), setting
    hint = f"arena: {address}, and complete: nothing is played (--again plays it anew)"
    logger.warning("%s", escape.line(hint))
    pairings = [replace(pairing, seed=same.seed) for pairing in pairings]
    return Journal(file, same.number, pairings, same.fights), same.setting
