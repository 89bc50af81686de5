"""Run the regression check: no player is weaker than in the baseline, and claims are true."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from arena.api.common import (
    DEFAULT_GAME,
    GameLike,
    IsolationLike,
    PlayerLike,
    get_game,
    get_player,
    open_catalogue,
)
from arena.api.fights import StoreLike, make_crew
from arena.errors import ArenaError, UsageError, quoted
from arena.files import check_target, real_path, write_atomically
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.records.regression import Comparison, RegressionReport, Verdict
from arena.regression.baseline import Baseline
from arena.regression.files import read_baseline, to_text
from arena.regression.request import LEVEL, MARGIN, QUICK_MARGIN, Request

#: The baseline that is meant when none is named: a file in the current folder.
DEFAULT_BASELINE = "arena-baseline.json"

NO_BASELINE = "there is no baseline, so only claims were checked; arena regress --update writes one"


def regress(
    players: Sequence[PlayerLike] = (),
    *,
    game: GameLike | None = None,
    baseline: str | Path | None = None,
    update: bool = False,
    panel: Sequence[str] = (),
    quick: bool = False,
    level: float = LEVEL,
    margin: float | None = None,
    n: int | None = None,
    seed: int | None = None,
    workers: int | None = None,
    executor: str = "processes",
    store: StoreLike | None = None,
    isolation: IsolationLike | None = None,
    catalogue: Catalogue | None = None,
) -> RegressionReport:
    """Check all claims and compare players with the baseline; exact wherever that is possible.

    Without players, all that are installed or in the baseline; without a game, all of its games.
    ``update`` writes the baseline anew, unless a claim is broken or something is at fault that was
    in it, claims something or was named. ``level`` is the probability that one is wrongly called
    weaker, ``margin`` the fall in points a game that games must show or exclude, ``n`` the pairs of
    an update where policies cannot be enumerated. A ``store`` has the report for :func:`history`.

    >>> regress(["triples"]).exit_code
    0
    """
    from arena.regression.night import run_night

    catalogue = open_catalogue(catalogue, isolation)
    named = str(baseline or DEFAULT_BASELINE)
    is_there = (path := real_path(named, "baseline")).exists()
    if update:
        check_target(path)
    elif baseline and not is_there:
        raise UsageError(f"there is no baseline {quoted(named)}; --update writes one")
    request = Request(
        players=_named(players, catalogue),
        game=game if game is None else get_game(game, catalogue),
        default_game=DEFAULT_GAME,
        panel=tuple(panel),
        is_update=update,
        is_quick=quick,
        level=level,
        margin=margin if margin is not None else QUICK_MARGIN if quick else MARGIN,
        pairs=n,
        seed=seed,
    )
    known = read_baseline(path, catalogue, outdated=update) if is_there else None
    report, new = run_night(request, known, catalogue, make_crew(catalogue, executor, workers))
    report = replace(report, baseline=named if is_there else None)
    if update:
        unknown = [] if players else _new_at_fault(report, known)
        report = _written(report, unknown, named, path, to_text(new))
    elif not is_there:
        report = replace(report, notes=(*report.notes, NO_BASELINE))
    if store is not None:
        _keep(report, store, catalogue)
    return report


def _named(players: Sequence[PlayerLike], catalogue: Catalogue) -> tuple[PlayerInfo, ...]:
    infos = {info.name: info for info in (get_player(p, catalogue) for p in players)}
    if len(infos) < len(players):
        raise UsageError(f"a player is named twice (there are: {', '.join(infos)})")
    return tuple(infos.values())


def _keep(report: RegressionReport, store: StoreLike, catalogue: Catalogue) -> None:
    from arena.store.code import code_digest
    from arena.store.nights import keep_night
    from arena.store.sql import Store

    digests = {}
    for name in sorted({check.player for check in report.checks}):
        with suppress(ArenaError):  # of the baseline, and gone
            digests[name] = code_digest(catalogue.player(name))
    keep_night(Store(store, create=True), report, digests)


def _new_at_fault(report: RegressionReport, known: Baseline | None) -> list[Comparison]:
    """Return faulty newcomers: they are left out of the new baseline and do not block it."""
    games = known.games if known is not None else {}
    return [
        check
        for check in report.comparisons
        if check.verdict == Verdict.FAULT
        and not (check.game in games and check.player in games[check.game].players)
    ]


def _written(
    report: RegressionReport, newcomers: list[Comparison], named: str, path: Path, text: str
) -> RegressionReport:
    """Write the new baseline, if nothing speaks against it but what is wrong with newcomers."""
    against = {c.verdict for c in report.failures if c not in newcomers}
    if report.broken or {Verdict.BROKEN, Verdict.FAULT} & against:
        note = "the baseline was not written: what is broken or at fault must be mended first"
        return replace(report, notes=(*report.notes, note))
    if not path.exists() or path.read_text(encoding="utf-8", errors="replace") != text:
        write_atomically(path, text)
    left_out = [f"{c.player} at {c.game} is at fault and left out" for c in newcomers]
    return replace(report, baseline=named, written=True, notes=(*report.notes, *left_out))
