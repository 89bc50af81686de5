"""The nightly check: nobody is weaker than the baseline says, and every claim is true."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Unpack

from arena.api.common import (
    DEFAULT_GAME,
    GameLike,
    PlayerLike,
    StoreLike,
    get_game,
    get_player,
    open_catalogue,
)
from arena.api.fights import make_crew
from arena.api.options import USUAL, PlayerOptions, WorkOptions
from arena.errors import ArenaError, UsageError, quoted
from arena.files import check_target, real_path, write_atomically
from arena.keywords import complete, takes
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.records.regression import Comparison, RegressionReport, Verdict
from arena.regression.baseline import Baseline
from arena.regression.files import read_baseline, to_text
from arena.regression.request import LEVEL, MARGIN, QUICK_MARGIN, Request

#: The baseline that is meant when none is named: a file in the current folder.
DEFAULT_BASELINE = "arena-baseline.json"

NO_BASELINE = "there is no baseline, so only claims were checked; arena regress --update writes one"


class RegressOptions(WorkOptions, PlayerOptions, total=False):
    """How players are checked against a baseline; see :func:`regress`."""

    game: GameLike | None
    baseline: str | Path | None
    update: bool
    panel: Sequence[str]
    quick: bool
    level: float
    margin: float | None
    n: int | None
    seed: int | None
    store: StoreLike | None


@takes(
    RegressOptions,
    {
        **USUAL,
        "game": None,
        "baseline": None,
        "update": False,
        "panel": (),
        "quick": False,
        "level": LEVEL,
        "margin": None,
        "n": None,
    },
)
def regress(
    players: Sequence[PlayerLike] = (), **options: Unpack[RegressOptions]
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

    chosen = complete(regress, options)
    catalogue = open_catalogue(chosen["catalogue"], chosen["isolation"])
    baseline, update, store = chosen["baseline"], chosen["update"], chosen["store"]
    named = str(baseline or DEFAULT_BASELINE)
    is_there = (path := real_path(named, "baseline")).exists()
    if update:
        check_target(path)
    elif baseline and not is_there:
        raise UsageError(f"there is no baseline {quoted(named)}; --update writes one")
    request = _request(players, chosen, catalogue)
    known = read_baseline(path, catalogue, outdated=update) if is_there else None
    crew = make_crew(catalogue, chosen["executor"], chosen["workers"])
    report, new = run_night(request, known, catalogue, crew)
    report = replace(report, baseline=named if is_there else None)
    if update:
        unknown = [] if players else _new_at_fault(report, known)
        report = _written(report, unknown, named, path, to_text(new))
    elif not is_there:
        report = replace(report, notes=(*report.notes, NO_BASELINE))
    if store is not None:
        _keep(report, store, catalogue)
    return report


def _request(
    players: Sequence[PlayerLike], chosen: RegressOptions, catalogue: Catalogue
) -> Request:
    """Return what these complete options ask of a night."""
    game, margin = chosen["game"], chosen["margin"]
    usual = QUICK_MARGIN if chosen["quick"] else MARGIN
    return Request(
        players=_named(players, catalogue),
        game=game if game is None else get_game(game, catalogue),
        default_game=DEFAULT_GAME,
        panel=tuple(chosen["panel"]),
        is_update=chosen["update"],
        is_quick=chosen["quick"],
        level=chosen["level"],
        margin=usual if margin is None else margin,
        pairs=chosen["n"],
        seed=chosen["seed"],
    )


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
    """Those at fault that were in no baseline and do not keep the others from one."""
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
