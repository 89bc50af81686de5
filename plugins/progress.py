"""A progress bar on the terminal, while a command plays games."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from arena import escape
from arena.clock import now
from arena.player.names import short_names
from arena.plugin.markers import hookimpl

if TYPE_CHECKING:
    from collections.abc import Callable

    from arena.records.observers import Progress, Run
    from arena.records.sequential import SprtLook


#: The most players that the bar rates, and the most that it shows.
MAX_RATED, MAX_SHOWN = 30, 3

#: Seconds until the next ratings: at least so many, and this many times what the last ones took.
MIN_RATINGS_PAUSE_SECONDS, PAUSE_RATIO = 1.0, 20


def is_watched() -> bool:
    """Return whether standard error is a terminal, where a bar can be shown."""
    return sys.stderr is not None and sys.stderr.isatty()


class LiveRatings:
    """The ratings of a tournament while it plays, fitted now and then, for that takes time."""

    def __init__(self) -> None:
        self._text, self._next = "", 0.0

    def best(self, state: Progress) -> str:
        """Return the best players with their Elo. The result is empty if there is none."""
        begin = now()
        if begin >= self._next and state.scores:
            self._text = rated(state)
            self._next = now() + max(MIN_RATINGS_PAUSE_SECONDS, PAUSE_RATIO * (now() - begin))
        return self._text


def rated(state: Progress) -> str:
    """Return the best players of a tournament with their Elo, as its games so far have it."""
    names = list(dict.fromkeys(name for a, b, _ in state.scores for name in (a, b)))
    if not 2 < len(names) <= MAX_RATED:
        return ""
    from arena.stats.bradley_terry import rate  # here, for NumPy takes long to import
    from arena.stats.pairings import PairingCounts

    places, short = {name: place for place, name in enumerate(names)}, short_names(names)
    pairings = [
        PairingCounts.of_games(places[a], places[b], (tally.losses, tally.draws, tally.wins))
        for a, b, tally in state.scores
    ]
    ratings = zip((rating.value for rating in rate(names, pairings).ratings), names, strict=True)
    best = sorted(((elo, name) for elo, name in ratings if elo is not None), reverse=True)
    return ", ".join(f"{short[name]} {elo:+.0f}" for elo, name in best[:MAX_SHOWN])


class Bar:
    """The bar of a run. ``kind`` returns the class of tqdm that draws it."""

    def __init__(self, kind: Callable[[], Any]) -> None:
        self._kind = kind
        #: None before the first games and after the last.
        self._bar: Any = None
        self._ratings = LiveRatings()

    def show(self, state: Progress, run: Run) -> None:
        """Show the state of the run."""
        if self._bar is None:
            tqdm = self._kind()
            tqdm.monitor_interval = 0  # its thread would be in the way of forking a worker
            unit = " games" if run.sprt is None else " pairs"
            self._bar = tqdm(total=_total(state, run), unit=unit, leave=False, smoothing=0.1)
        self._bar.total = _total(state, run)
        self._bar.set_postfix_str(
            _score(state, len(run.fights), self._ratings.best(state)), refresh=False
        )
        self._bar.update(state.done // _unit(run) - self._bar.n)

    def end(self) -> None:
        """Take the bar away."""
        bar, self._bar = self._bar, None
        if bar is not None:
            bar.close()


def _tqdm() -> Any:
    from tqdm import tqdm

    return tqdm


#: The bar of the command that runs.
_bar = Bar(_tqdm)


@hookimpl
def arena_progress(state: Progress, run: Run) -> None:
    if run.command and is_watched():
        _bar.show(state, run)


def _score(state: Progress, fights: int, best: str = "") -> str:
    """Say whose results the bar shows, and which pairing of a tournament is played."""
    if state.payoffs:
        best = ", ".join(f"{name} {mean:.3f}" for name, mean in state.payoffs[:MAX_SHOWN])
        return escape.line(best)
    tally = state.leader_tally if state.leader else state.tally
    results = f"+{tally.wins} ={tally.draws} -{tally.losses}"
    if state.playing is None or not state.leader:
        return f"checked players {results}" if tally.games else ""
    a, b = state.playing
    if state.look is not None:
        return _looked(state.look)
    if fights == 1:
        interval = state.interval  # which one may watch, and stop
        ends = interval and f"{100 * interval.low:.1f}-{100 * interval.high:.1f} % {interval.kind}"
        return escape.line(f"{a} {ends or results}")
    standing = f"Elo {best}" if best else f"{state.leader} leads {results}"
    return escape.line(f"{standing}, now {a} against {b}")


def _looked(look: SprtLook) -> str:
    """Say where a sequential test stands."""
    llr = "-" if look.llr is None else f"{look.llr:.2f}"
    return f"LLR {llr} in {look.lower:.2f}..{look.upper:.2f}"


def _unit(run: Run) -> int:
    """Return how many games the bar counts as one."""
    return 1 if run.sprt is None else 2


def _total(state: Progress, run: Run) -> int:
    """Return where the bar ends: where a sequential test will, which seldom comes to its cap."""
    most = state.total // _unit(run)
    if state.look is None or state.look.remaining is None:
        return most
    return min(most, state.look.pairs + state.look.remaining)


@hookimpl
def arena_run_end() -> None:
    _bar.end()
