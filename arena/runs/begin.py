"""Begin a run: its pairings, its executor, its store, and who observes it."""

from __future__ import annotations

import logging
import os
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, cast

from arena import escape
from arena.dataclass import dataclass
from arena.errors import UsageError, quoted
from arena.executors.base import Executor, usable_cores
from arena.executors.supervision import make_executor
from arena.fights.choosing import by_batch, choose_engines, require_engine
from arena.fights.engines import Engine
from arena.fights.pairing import COMMON_OPTIONS, Pairing, RunSetting
from arena.fights.play import OnProgress
from arena.fights.rounds import RoundChooser
from arena.game import Game
from arena.inputs.options import PlayOptions
from arena.inputs.resolve import get_openings, require_clocks, warn_of_limits
from arena.model.defaults import CORRECTED_LUCK, MAX_POSITIONS
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.plugin.observers import Observers
from arena.records.adjudication import Adjudication
from arena.records.base import Json
from arena.rng import fresh_seed
from arena.runs.luck import with_luck_corrected
from arena.runs.progress_bar import with_bar
from arena.runs.resumption import resumed_alike
from arena.runs.rounds import rounds_of
from arena.runs.services import with_services
from arena.runs.volunteers import keeping_parts
from arena.store.real_fights import fight_for_real

if TYPE_CHECKING:
    from arena.proof.certificate_file import CertificateFile
    from arena.store.journal import StoreJournal
    from arena.store.sql import Store


logger = logging.getLogger(__name__)


def pairings_of(
    matchups: Sequence[Sequence[PlayerInfo]],
    n: int,
    game: Game,
    options: PlayOptions,
    catalogue: Catalogue,
) -> list[Pairing]:
    """Return the pairing of each matchup, with the certificates of its players."""
    require_clocks(catalogue.isolation, {id(p): p for both in matchups for p in both}.values())
    seed, openings = options["seed"], get_openings(options["openings"], game)
    root = fresh_seed() if seed is None else seed
    if openings is not None:
        openings.check(game, root, n)
        if game.is_paid and openings.repeats_after(n):
            raise UsageError(
                "payoffs are not counted by opening: --openings random:PLIES draws one for each"
                " pair, or a file has as many openings as the fight has pairs"
            )
        if options["luck"] == CORRECTED_LUCK:
            raise UsageError("luck is corrected in games from the start: leave --openings out")
    ends = Adjudication.read(options["adjudicate"], options["resign"], options["draw"])
    settings: Json = {"adjudication": ends, "openings": openings}
    settings |= {name: cast("Json", options)[name] for name in COMMON_OPTIONS}
    settings["plugins"] = catalogue.files
    pairings = [
        Pairing(game, a, b, n, root, others=tuple(others), **settings) for a, b, *others in matchups
    ]
    warn_of_limits(catalogue.isolation, chain.from_iterable(matchups))
    files = options["certificates"]
    if files and options["store"] is not None:
        raise UsageError("a store does not keep certificates: leave --certificate or --store out")
    if files:
        pairings = _certified(pairings, files, catalogue)
    if options["luck"] == CORRECTED_LUCK:
        return with_luck_corrected(pairings, options["value"], catalogue.game)
    if options["value"] is not None:
        raise UsageError("--value is for --luck corrected")
    return by_batch(pairings, options["engine"])


def _certified(
    pairings: list[Pairing], files: Sequence[str | os.PathLike[str]], catalogue: Catalogue
) -> list[Pairing]:
    """Return the pairings with the certificates in these files, each for the player it names."""
    from arena.certificates.strategies import is_strategies
    from arena.proof.certificate_file import read_certificate

    certificates: dict[str, CertificateFile] = {}
    names = {player.name for pairing in pairings for player in (pairing.a, pairing.b)}
    for file in files:
        if is_strategies(Path(file)):
            raise UsageError(
                f"certificate {quoted(str(file))}: it has strategies of a game, not moves of a"
                " player: solved:FILE plays them"
            )
        certificate = read_certificate(Path(file), catalogue.game)
        problem = _problem(certificate, pairings[0].game, names, certificates)
        if problem:
            raise UsageError(f"certificate {quoted(str(file))}: {problem}")
        certificates[certificate.player] = certificate
    return [
        replace(p, certificates=(certificates.get(p.a.name), certificates.get(p.b.name)))
        for p in pairings
    ]


def _problem(
    certificate: CertificateFile, game: Game, names: Iterable[str], certified: Container[str]
) -> str:
    """Return why a certificate does not apply to these players, or empty if it does."""
    from arena.proof.checker import CertificateError, check_certificate

    if certificate.game.name != game.name:
        return f"it is for {certificate.game.name}, not {game.name}"
    if certificate.player not in names:
        return f"it names {quoted(certificate.player)}, which does not play"
    if certificate.player in certified:
        return f"it is the second one for {quoted(certificate.player)}"
    try:
        check_certificate(certificate, MAX_POSITIONS)
    except CertificateError as error:
        return str(error)
    return ""


def open_executor(catalogue: Catalogue, executor: str, workers: int | None) -> Executor:
    """Return the executor of that name with this many workers, by default one per core.

    A text may follow the name and a colon, as in ``dask:tcp://host:8786``.
    """
    name, colon, text = executor.partition(":")
    make = catalogue.executors.get(name).maker(name, colon, text)
    return make_executor(name, make, workers or usable_cores())


@dataclass(frozen=True)
class PreparedRun:
    """A run that is ready to play: the arguments of :func:`arena.fights.runs.play`."""

    setting: RunSetting
    engines: Sequence[Engine]
    executor: Executor
    on_progress: OnProgress | None
    journal: StoreJournal | None
    observers: Observers
    rounds: RoundChooser | None


@contextmanager
def begin_run(
    setting: RunSetting, pairings: Sequence[Pairing], options: PlayOptions, catalogue: Catalogue
) -> Iterator[PreparedRun]:
    """Begin a run, in its store if it has one, and prepare all that plays it."""
    executor = open_executor(catalogue, options["executor"], options["workers"])
    executor = with_services(executor, pairings, options, options["store"])
    engine, store, on_progress = options["engine"], options["store"], options["on_progress"]
    observers = resumed_alike(with_bar(catalogue.observers, options["progress"]), options)
    if options["pgn"] is not None:
        from arena.runs.pgn_file import with_pgn  # few runs have one

        observers = with_pgn(observers, options["pgn"], pairings)
    if store is None:
        rounds = rounds_of(setting, pairings, catalogue)
        is_watched = setting.aim is not None or setting.is_scheduled or options["pgn"] is not None
        engine = "calls" if is_watched else engine
        engines = choose_engines(pairings, engine, executor, fight_for_real)
        yield PreparedRun(setting, engines, executor, on_progress, None, observers, rounds)
        return
    require_engine(engine)
    if engine == "table":
        raise UsageError("a store keeps every game, and the engine 'table' has no single games")
    from arena.store.sql import Store

    journal, setting = _journal(Store(store, create=True), setting, pairings, options)
    with journal:
        executor = keeping_parts(executor, setting, journal)
        rounds = rounds_of(setting, journal.pairings, catalogue)
        engines = choose_engines(journal.pairings, "calls", executor)
        yield PreparedRun(setting, engines, executor, on_progress, journal, observers, rounds)


def _journal(
    file: Store, setting: RunSetting, pairings: Sequence[Pairing], options: PlayOptions
) -> tuple[StoreJournal, RunSetting]:
    """Return the journal of a complete run that is the same, after a note, or of a new run."""
    from arena.store.journal import StoreJournal
    from arena.store.same_run import same_run

    same = None
    if not options["again"]:
        same = same_run(file, setting, pairings, any_seed=options["seed"] is None)
    if same is None:
        return StoreJournal.begin(file, setting, pairings), setting
    address = f"run {same.number} of {quoted(file.name)} is the same"
    if same.finished is None:
        hint = f"arena: {address} and not complete: arena resume goes on with it"
        logger.warning("%s", escape.line(hint))
        return StoreJournal.begin(file, setting, pairings), setting
    hint = f"arena: {address}, and complete: nothing is played (--again plays it)"
    logger.warning("%s", escape.line(hint))
    pairings = [replace(pairing, seed=same.seed) for pairing in pairings]
    return StoreJournal(file, same.number, pairings, same.fights), same.setting
