"""Choose how the pairings of a run are played: by which engine."""

from __future__ import annotations

import importlib
import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from typing import NamedTuple

from arena import escape
from arena.errors import CannotEnumerate, PlayerFault, UnknownName, UsageError, describe
from arena.executors.base import Executor, TaskFailed, TaskList
from arena.fights.batch import BatchEngine
from arena.fights.engines import CallsEngine, CountsEngine, Engine, TableEngine
from arena.fights.pairing import BATCH, Pairing
from arena.game import Game
from arena.match.record import PlayedPair
from arena.player import PlayerInfo
from arena.proof.policy import Policy
from arena.proof.tables import CompiledTree, Leaves
from arena.records.fights import CALLED_PAIRS
from arena.sandbox.settings import Isolation

logger = logging.getLogger(__name__)

#: The engines that ``--engine`` names.
ENGINES = ("auto", "calls", "table", BATCH)

#: From this many pairs on ``auto`` tries tables; for fewer, compiling them takes longer than
#: playing.
TABLE_PAIRS = 5_000

#: ``auto`` falls back to ``calls`` if the table needs more nodes per pair than this.
NODES_A_PAIR = 1

#: For more pairs than this the ``table`` engine counts games instead of playing them.
MAX_PLAYED_PAIRS = 10_000_000


#: The distribution of arena's own players.
_OWN = "proving-arena"

#: Most players that the line on batches names.
_MOST_NAMED = 3


def by_batch(pairings: Sequence[Pairing], name: str) -> list[Pairing]:
    """Return the pairings, those marked that are played by batches.

    ``auto`` marks each whose players offer it if nothing is in the way. Raises UsageError if the
    engine of that name marks all and something is.
    """
    require_engine(name)
    if name == BATCH:
        require_batch(pairings)
        return [replace(pairing, engine=BATCH) for pairing in pairings]
    if name != "auto":
        return list(pairings)
    offers = list(map(_offers_batch, pairings))
    if any(offers) and not all(offers):
        _say_who_is_called(pairings, offers)
    return [
        replace(pairing, engine=BATCH) if offered else pairing
        for pairing, offered in zip(pairings, offers, strict=True)
    ]


def _say_who_is_called(pairings: Sequence[Pairing], offers: Sequence[bool]) -> None:
    """Log which players keep pairings from batches while others of the run are played by them.

    Arena's own players that offer it are quick by calls, too: of these alone it says nothing.
    """
    others = [pairing for pairing, offered in zip(pairings, offers, strict=True) if not offered]
    able = {id(p) for pairing in pairings for p in (pairing.a, pairing.b) if p.choose_batch}
    missing = [p.name for pairing in others for p in (pairing.a, pairing.b) if id(p) not in able]
    names = list(dict.fromkeys(missing))
    offering = [pairing for pairing, offered in zip(pairings, offers, strict=True) if offered]
    if names and any(p.package != _OWN for pairing in offering for p in (pairing.a, pairing.b)):
        verb = "does" if len(names) == 1 else "do"
        if len(names) > _MOST_NAMED + 1:
            names[_MOST_NAMED:] = [f"{len(names) - _MOST_NAMED} more"]
        logger.warning(
            "%s",
            escape.line(
                f"arena: {len(others)} of {len(pairings)} pairings are not played by batches:"
                f" {', '.join(names)} {verb} not offer choose_batch"
                " (--engine batch calls such a player one by one)"
            ),
        )


def require_batch(pairings: Iterable[Pairing]) -> None:
    """Raise UsageError if a pairing cannot be played by batches."""
    for pairing in pairings:
        if why_not := _why_not_by_batch(pairing):
            raise UsageError(f"{why_not}, not by the engine {BATCH!r}")


def _offers_batch(pairing: Pairing) -> bool:
    both = offers_batch(pairing.a) and offers_batch(pairing.b)
    return both and pairing.pairs <= MAX_PLAYED_PAIRS and not _why_not_by_batch(pairing)


def offers_batch(player: PlayerInfo) -> bool:
    """Return whether ``auto`` has a player play by batches against another one like that."""
    is_able = player.choose_batch is not None and not _is_measured(player)
    return is_able and not _why_not_with(player)


def _is_measured(player: PlayerInfo) -> bool:
    """Return whether a limit or a clock needs the time of its single moves."""
    return Isolation.from_limits(dict(player.limits)).resolved().is_measured


def _why_not_by_batch(pairing: Pairing) -> str:
    """Return how a pairing is played, if batches cannot play it, or an empty text if they may."""
    if why_calls := _why_by_calls(pairing):
        return why_calls
    if any(pairing.certificates):
        return "moves are looked up as they are made by calls"
    if pairing.adjudication:
        return "games are adjudicated move by move"
    return _why_not_with(pairing.a) or _why_not_with(pairing.b)


def _why_not_with(player: PlayerInfo) -> str:
    """Return how a player plays, if batches cannot have it, or an empty text if they may."""
    if player.remote is not None and player.choose_batch is None:
        without = "--isolation none for code of your own" if player.file else "no --isolate"
        reason = f"{player.name} has no choose_batch and plays in a process of its own"
        return f"{reason} ({without}), one game at a time"
    if dict(player.limits).get("clock"):
        return f"{player.name} has a clock, which measures every move by itself"
    return "" if player.stateless else f"{player.name} keeps state and plays one game at a time"


def engine_of(pairing: Pairing) -> CallsEngine:
    """Return the engine that plays the single games of a pairing."""
    if pairing.others:
        from arena.fights.blocks import BlocksEngine  # most games are of two

        return BlocksEngine(pairing)
    return BatchEngine(pairing) if pairing.engine == BATCH else CallsEngine(pairing)


#: Plays all pairs of a pairing in a way of its own; None if it has none for that one.
PlayElsewhere = Callable[[Pairing], Iterable[PlayedPair] | None]


def _nowhere(_: Pairing) -> None:
    """Leave the pairs to be played here."""


def choose_engines(
    pairings: Sequence[Pairing], name: str, executor: Executor, elsewhere: PlayElsewhere = _nowhere
) -> list[Engine]:
    """Return the engine for each pairing. Raises CannotEnumerate for impossible tables.

    Those that are marked are played by batches, whatever the name is; one whose player does not
    load any more is not played. Tables are compiled by the executor, because it is players that are
    run for them. The first pairs, whose moves are looked up in a table, may be played
    ``elsewhere``.
    """
    require_engine(name)
    require_batch(filter(_can_start, (each for each in pairings if each.engine == BATCH)))
    others = [pairing for pairing in pairings if pairing.engine != BATCH]
    rest = iter(_without_batches(others, name, executor, elsewhere))
    return [engine_of(pairing) if pairing.engine == BATCH else next(rest) for pairing in pairings]


def _can_start(pairing: Pairing) -> bool:
    from arena.sandbox.players import is_absent  # few runs are marked

    return not any(map(is_absent, pairing.players))


def _without_batches(
    pairings: Sequence[Pairing], name: str, executor: Executor, elsewhere: PlayElsewhere
) -> list[Engine]:
    """Return the engine for each of the pairings that are not marked for batches."""
    for pairing in pairings:
        if why_not := _why_not_by_table(pairing):
            if name == "table":
                raise UsageError(f"{why_not}, not by 'table'")
            return [engine_of(pairing) for pairing in pairings]
    engines: list[Engine] = [CallsEngine(pairing) for pairing in pairings]
    tasks = [
        index
        for index, pairing in enumerate(pairings)
        if name == "table" or (name == "auto" and pairing.pairs >= TABLE_PAIRS)
    ]
    if not tasks:
        return engines
    missing = _why_no_tables()
    if missing:
        if name == "table":
            raise CannotEnumerate(missing)
        reasons = [missing if index in tasks else "" for index in range(len(pairings))]
        return list(map(CallsEngine, pairings, reasons))
    compiler = _Compiler(tuple(pairings), name, elsewhere)
    with closing(executor.run(compiler, TaskList(tasks))) as answers:
        for index, answer in answers:
            pairing = pairings[index]
            if isinstance(answer, TaskFailed):
                ended = f"a player ended the process that it was run in: {answer.reason}"
                answer = _Refusal(PlayerFault(ended))
            if isinstance(answer, _CompiledPairing):
                counted = pairing.pairs > MAX_PLAYED_PAIRS
                engines[index] = (CountsEngine if counted else TableEngine)(pairing, *answer)
            elif name == "table":
                raise answer.error
            else:
                engines[index] = CallsEngine(pairing, reason=str(answer.error))
    return engines


def _why_by_calls(pairing: Pairing) -> str:
    """Return how games are played that take calls to the players, or an empty text for others."""
    game = pairing.game
    if pairing.wait:
        return "games that wait for each other are played by calls"
    if game.is_refereed:
        return "a referee plays its games itself"
    return f"games with {' and '.join(game.features)} are played by calls" if game.features else ""


def _why_not_by_table(pairing: Pairing) -> str:
    """Return how a pairing is played, if no table can play it, or an empty text if one may."""
    if why_calls := _why_by_calls(pairing):
        return why_calls
    if pairing.openings is not None:
        return "games from openings are played move by move"
    if any(pairing.certificates):
        return "moves are looked up as they are made by calls"
    has_clock = any(dict(player.limits).get("clock") for player in (pairing.a, pairing.b))
    return "a clock runs while a player is called" if has_clock else ""


def _why_no_tables() -> str:
    """Import NumPy once here, not in every worker that is forked. Return why that fails."""
    try:
        importlib.import_module("numpy")
    except (ImportError, MemoryError, OSError) as error:
        return f"NumPy cannot be loaded: {describe(error.__cause__ or error)}"
    return ""


def require_engine(name: str) -> None:
    """Raise UnknownName unless ``--engine`` knows the name."""
    if name not in ENGINES:
        raise UnknownName("engine", name, ENGINES)


class _CompiledPairing(NamedTuple):
    """The trees of a pairing, and where the games of its first pairs ended."""

    trees: tuple[CompiledTree, CompiledTree]
    called: Leaves


class _Refusal(NamedTuple):
    """The reason why a pairing does not have trees."""

    error: CannotEnumerate


class _Compiler:
    """The work of an executor: compiles the tables of a pairing, by its index.

    A worker uses what it finds out about a player for all pairings that it compiles.
    """

    def __init__(self, pairings: tuple[Pairing, ...], name: str, elsewhere: PlayElsewhere) -> None:
        self.pairings, self.name, self.elsewhere = pairings, name, elsewhere
        self._policies: dict[int, Policy] = {}

    def __call__(self, index: int) -> _CompiledPairing | _Refusal:
        from arena.proof import table_check, tables

        pairing = self.pairings[index]
        limit = tables.MAX_TREE_NODES
        if self.name == "auto":
            limit = min(limit, NODES_A_PAIR * pairing.pairs)
        try:
            a, b = self._policy(pairing.a, pairing.game), self._policy(pairing.b, pairing.game)
            one = tables.compile_tree(a, b, limit)
            other = one if a is b else tables.compile_tree(b, a, limit)
            a.confirm()
            b.confirm()
            leaves = table_check.checked_leaves(
                (one, other), (a, b), pairing.path, self._first_pairs(pairing)
            )
        except CannotEnumerate as error:
            for player in (pairing.a, pairing.b):  # what was found out may take gigabytes
                self._policies.pop(id(player), None)
            return _Refusal(error)
        return _CompiledPairing((one, other), leaves)

    def _first_pairs(self, pairing: Pairing) -> Iterable[PlayedPair]:
        pairs = min(pairing.pairs, CALLED_PAIRS)
        played = self.elsewhere(replace(pairing, pairs=pairs))
        return CallsEngine(pairing).pairs(1, pairs + 1) if played is None else played

    def _policy(self, player: PlayerInfo, game: Game) -> Policy:
        # By identity: players of one name may differ, and not all can be hashed.
        # Without traced draws: which players have a table decides what a seed plays.
        return self._policies.setdefault(id(player), Policy(player, game, is_traced=False))
