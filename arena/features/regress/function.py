"""Run the regression check: no player is weaker than in the baseline, and claims are true."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from arena.errors import ArenaError, StoreError, UsageError, quoted
from arena.executors.base import Executor
from arena.features.regress.baseline import Baseline
from arena.features.regress.files import read_baseline, to_text
from arena.features.regress.options import (
    DEFAULT_BASELINE,
    DEFAULT_REGRESSION_MARGIN,
    QUICK_MARGIN,
    RegressOptions,
)
from arena.features.regress.record import (
    Check,
    ClaimCheck,
    NotKept,
    RegressionReport,
    RegressionVerdict,
    needing,
    replayed_from,
)
from arena.features.regress.request import Request
from arena.files import check_target, real_path, write_atomically
from arena.inputs.resolve import (
    DEFAULT_GAME,
    PlayerLike,
    StoreLike,
    get_player,
    get_ruled_game,
    open_catalogue,
    require_list,
)
from arena.player import PlayerInfo
from arena.player.names import read_named
from arena.plugin.catalogue import Catalogue
from arena.plugin.observers import Audience, watching
from arena.plugin.project import normalized, projects_in
from arena.records.commands import with_plugins
from arena.records.observers import Run
from arena.runs.begin import open_executor
from arena.signatures import complete, takes

if TYPE_CHECKING:
    from arena.features.regress.plan import RegressionPlan
    from arena.store.sql import Store

NO_BASELINE = "there is no baseline, so only claims were checked"


@takes(RegressOptions)
def regress(
    players: Sequence[PlayerLike] = (), **options: Unpack[RegressOptions]
) -> RegressionReport:
    """Check all claims and compare players with the baseline, exactly wherever that is possible.

    Without players, those of the project whose source is the current folder, or if that has none,
    all that are installed or in the baseline; without a game, all games of the baseline. ``update``
    writes a new baseline, unless a claim is broken or something is at fault that was in it, claims
    something or was named. ``level`` is the probability that one is wrongly called weaker,
    ``margin`` the fall in points per game that games must show or exclude, ``n`` the pairs of an
    update where policies cannot be enumerated. A ``store`` has the report for :func:`history`;
    NotKept has the report if the store fails after all is played.

    >>> regress(["triples"]).exit_code
    0
    """
    from arena.features.regress.plan import make_plan

    require_list(players, "a regression run")
    options = complete(regress, options)
    catalogue = open_catalogue(options["catalogue"], options["isolation"])
    baseline, update, store = options["baseline"], options["update"], options["store"]
    named = str(baseline or DEFAULT_BASELINE)
    is_there = (path := real_path(named, "baseline")).exists()
    if update:
        check_target(path)
    elif baseline and not is_there:
        raise UsageError(f"there is no baseline {quoted(named)}; --update writes one")
    request = _request(players, options, catalogue)
    if is_there:
        request = replace(request, baseline=read_baseline(path, catalogue, outdated=update))
    executor = open_executor(
        catalogue, options["executor"], options["workers"]
    )  # refuses before the plan
    plan = make_plan(request)
    opened = None if store is None else _open_store(store)  # refuses before anything is played
    with watching(Audience(catalogue.observers, Run("regression", options["seed"]))) as audience:
        report = _run_checks(plan, executor, audience, named, path)
        if store is not None:
            report = replayed_from(report, store)
        report = needing(report, catalogue.files)
        audience.result = report
    if opened is not None:
        _keep(report, opened, plan.request)
    return report


def _run_checks(
    plan: RegressionPlan, executor: Executor, audience: Audience, named: str, path: Path
) -> RegressionReport:
    """Do what was planned, write the baseline that an update makes, and report both."""
    from arena.features.regress.run import make_report, run_regression

    checks, new = run_regression(plan, executor, audience)
    written, notes = _write(plan.request, checks, path, new)
    has_baseline = written or plan.request.baseline is not None
    return make_report(plan, checks, named if has_baseline else None, written, notes)


def _request(
    players: Sequence[PlayerLike], options: RegressOptions, catalogue: Catalogue
) -> Request:
    """Return what these complete options ask of a regression run."""
    game, margin = options["game"], options["margin"]
    usual = QUICK_MARGIN if options["quick"] else DEFAULT_REGRESSION_MARGIN
    named = _named_players(players, catalogue)
    return Request(
        catalogue,
        players=named,
        projects=frozenset() if named else _projects(catalogue),
        game=game if game is None else get_ruled_game(game, catalogue),
        default_game=DEFAULT_GAME,
        panel=tuple(map(_panel_name, options["panel"])),
        is_update=options["update"],
        is_quick=options["quick"],
        level=options["level"],
        margin=usual if margin is None else margin,
        pairs=options["n"],
        seed=options["seed"],
        work=options,
    )


def _named_players(players: Sequence[PlayerLike], catalogue: Catalogue) -> tuple[PlayerInfo, ...]:
    infos = {info.name: info for info in (get_player(p, catalogue) for p in players)}
    if len(infos) < len(players):
        raise UsageError(f"a player is named twice (there are: {', '.join(infos)})")
    return tuple(infos.values())


def _projects(catalogue: Catalogue) -> frozenset[str]:
    """Return the projects in the current folder that have players, or a plugin that is broken."""
    packages = [info.package for _, info in catalogue.players]
    packages += [plugin.package for plugin in catalogue.broken]
    return projects_in(Path.cwd()) & set(map(normalized, packages))


def _panel_name(text: str) -> str:
    """Return the name of an opponent. Raises UsageError for a name that it is given only there."""
    name, spec = read_named(text)
    if name != spec:
        raise UsageError(f"panel: name {quoted(text)} as a player too, and {name!r} in the panel")
    return name


def _open_store(store: StoreLike) -> Store:
    from arena.store.sql import Store

    return Store(store, create=True)


def _keep(report: RegressionReport, store: Store, request: Request) -> None:
    from arena.features.regress.history import keep_regression_run
    from arena.store.code import code_digest

    digests = {}
    for name in sorted({check.player for check in report.checks}):
        with suppress(ArenaError):  # of the baseline, and gone
            digests[name] = code_digest(request.player(name))
    try:
        keep_regression_run(store, report, digests)
    except StoreError as error:
        raise NotKept(f"{error}; it did not take this run", report) from error


def _write(
    request: Request, checks: Sequence[Check], path: Path, baseline: Baseline
) -> tuple[bool, tuple[str, ...]]:
    """Write the baseline of an update if nothing is against it. Return whether, and notes."""
    if not request.is_update:
        update = with_plugins("arena regress --update", request.catalogue.files)
        return False, () if request.baseline else (f"{NO_BASELINE}; {update} writes one",)
    newcomers = [check for check in checks if _is_newcomer_at_fault(request, check)]
    against = {check.verdict for check in checks if check not in newcomers}
    if request.broken or {RegressionVerdict.BROKEN, RegressionVerdict.FAULT} & against:
        return False, (
            "the baseline was not written: what is broken or at fault must be mended first",
        )
    text = to_text(baseline)
    if not path.exists() or path.read_text(encoding="utf-8", errors="replace") != text:
        write_atomically(path, text)
    return True, tuple(f"{c.player} at {c.game} is at fault and left out" for c in newcomers)


def _is_newcomer_at_fault(request: Request, check: Check) -> bool:
    """Return whether to overlook the fault of a player that neither user nor baseline names."""
    if request.players or isinstance(check, ClaimCheck) or check.verdict != RegressionVerdict.FAULT:
        return False
    entry = request.baseline.games.get(check.game) if request.baseline else None
    return entry is None or check.player not in entry.players
