"""Plan a regression run: which players to check, at which games, against which opponents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace

from arena.dataclass import dataclass
from arena.errors import ArenaError, CannotPlay, UsageError, quoted
from arena.features.regress.baseline import FrozenGames, FrozenPolicy, GameBaseline
from arena.features.regress.claims import game_of
from arena.features.regress.nonregression import NonRegression
from arena.features.regress.policies import PolicyTable
from arena.features.regress.record import Check, ClaimCheck, Comparison, RegressionVerdict
from arena.features.regress.request import Request
from arena.game import Game
from arena.player import PlayerInfo


@dataclass(frozen=True)
class PlayerExam:
    """The questions about a player at a game that need no games."""

    player: PlayerInfo
    game: Game
    #: The claims it declares about the game.
    claims: tuple[str, ...] = ()
    #: The policy to compare with, if there is one, and those of the panel.
    before: PolicyTable | None = None
    panel: Mapping[str, PolicyTable] = field(default_factory=dict)
    #: Whether its policy is wanted, for a baseline.
    is_wanted: bool = False


@dataclass(frozen=True)
class GamePlan:
    """The players to compare at one game."""

    #: The game in the baseline, without players if it is not there.
    entry: GameBaseline
    panel: tuple[str, ...]
    players: tuple[PlayerInfo, ...]
    #: Players of the baseline that are not available any more, by name, and why.
    gone: Mapping[str, ArenaError]

    @property
    def game(self) -> Game:
        """The game."""
        return self.entry.game


@dataclass(frozen=True)
class RegressionPlan:
    """The work of a regression run, and what is known without any. The steps only read it."""

    request: Request
    game_plans: tuple[GamePlan, ...]
    #: The jobs that need no games.
    jobs: tuple[PlayerExam, ...]
    #: Players whose games of the baseline must be played again.
    replayed: tuple[tuple[PlayerInfo, Game], ...]
    settled: tuple[Check, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """The players that an update takes out of the baseline, a line each."""
        return tuple(
            f"{name} at {game_plan.game.name} leaves the baseline: {error}"
            for game_plan in self.game_plans
            for name, error in game_plan.gone.items()
            if self.request.is_update
        )

    @property
    def players(self) -> dict[str, PlayerInfo]:
        """The players that are checked, by name."""
        players = (player for game_plan in self.game_plans for player in game_plan.players)
        return {player.name: player for player in (*players, *(job.player for job in self.jobs))}

    def game_plan(self, game: Game) -> GamePlan | None:
        """Return what to compare at a game, None for nothing."""
        return next((each for each in self.game_plans if each.game.name == game.name), None)


def make_plan(request: Request) -> RegressionPlan:
    """Return the plan. Raises UsageError for what cannot be."""
    # Before any work, so that a level or a margin that cannot be stops all of it.
    NonRegression(request.margin, request.level)
    compares = request.baseline is not None or request.is_update
    game_plans = tuple(_game_plan(request, game) for game in _games(request) if compares)
    jobs = [job for game_plan in game_plans for job in _jobs(request, game_plan)]
    jobs, faults = _with_claims(request, jobs, _claimants(request, game_plans, jobs))
    replayed = () if request.is_update else tuple(_replays(game_plans))
    settled = () if request.is_update else tuple(_settled(game_plans))
    plan = RegressionPlan(request, game_plans, tuple(jobs), replayed, (*faults, *settled))
    if compares:
        _require_work(plan)
    return plan


def _games(request: Request) -> list[Game]:
    """Return the games at which players are compared."""
    if request.game is not None:
        return [request.game]
    entries = request.baseline.games.values() if request.baseline else ()
    return [entry.game for entry in entries] or [request.catalogue.game(request.default_game)]


def _game_plan(request: Request, game: Game) -> GamePlan:
    games = request.baseline.games if request.baseline else {}
    entry = games.get(game.name) or GameBaseline(game, (), {})
    panel = _panel(request, entry)
    if not request.players:
        return GamePlan(entry, panel, *_everybody(request, entry))
    for player in request.players:
        if request.game is not None:
            player.require(game)
    return GamePlan(entry, panel, tuple(p for p in request.players if p.plays(game)), {})


def _panel(request: Request, entry: GameBaseline) -> tuple[str, ...]:
    named, game = request.panel, entry.game
    for name in named:
        if request.is_update:
            request.player(name).require(game)
        elif name not in entry.panel:
            raise UsageError(
                f"{quoted(name)} is not of the panel at {game.name} in the baseline, which is"
                f" {', '.join(entry.panel) or 'empty'}; --update sets another"
            )
    installed = tuple(info.name for info in request.catalogue.players_of(game))
    return tuple(dict.fromkeys(named or entry.panel or installed))


def _everybody(
    request: Request, entry: GameBaseline
) -> tuple[tuple[PlayerInfo, ...], dict[str, ArenaError]]:
    """Return the players of the baseline and those installed, by name, and those that are gone.

    Players of other projects are left out.
    """
    game, catalogue = entry.game, request.catalogue
    only_panel = set(entry.panel) - set(entry.players)
    players = {i.name: i for i in catalogue.players_of(game) if i.name not in only_panel}
    errors = {}
    for name in sorted(set(entry.players) - set(players)):
        try:
            player = request.player(name)
            player.require(game)
            players[name] = player
        except ArenaError as error:
            errors[name] = error
    return tuple(players[name] for name in sorted(players) if request.is_own(players[name])), errors


def _jobs(request: Request, game_plan: GamePlan) -> Iterator[PlayerExam]:
    """Compare policies with those of the baseline. An update wants the policies of all players."""
    for player in game_plan.players:
        frozen = game_plan.entry.players.get(player.name)
        if isinstance(frozen, FrozenPolicy):
            panel = game_plan.entry.policies_of(game_plan.panel) or {player.name: frozen.table}
            yield PlayerExam(player, game_plan.game, (), frozen.table, panel, request.is_update)
        elif request.is_update:
            yield PlayerExam(player, game_plan.game, is_wanted=True)
    names = {*game_plan.entry.players, *(player.name for player in game_plan.players)}
    for name in game_plan.panel:
        if request.is_update and name not in names:
            yield PlayerExam(request.player(name), game_plan.game, is_wanted=True)


def _replays(game_plans: Iterable[GamePlan]) -> Iterator[tuple[PlayerInfo, Game]]:
    for game_plan in game_plans:
        for player in game_plan.players:
            if isinstance(game_plan.entry.players.get(player.name), FrozenGames):
                yield player, game_plan.game


def _settled(game_plans: Iterable[GamePlan]) -> Iterator[Comparison]:
    """Return the new players, and those that are gone. An update accepts both."""
    for game_plan in game_plans:
        for name, error in game_plan.gone.items():
            message = f"it is in the baseline, but not available: {error}"
            yield Comparison(name, game_plan.game.name, RegressionVerdict.FAULT, message)
        for player in game_plan.players:
            if player.name not in game_plan.entry.players:
                message = "it is not in the baseline"
                yield Comparison(player.name, game_plan.game.name, RegressionVerdict.NEW, message)


def _claimants(
    request: Request, game_plans: Iterable[GamePlan], jobs: Iterable[PlayerExam]
) -> Iterable[PlayerInfo]:
    """Return the players that were named, or all that are installed and those of the baseline.

    Players of other projects are left out.
    """
    if request.players:
        return request.players
    players = {name: request.player(name) for name, _ in request.catalogue.players}
    players |= {player.name: player for game_plan in game_plans for player in game_plan.players}
    players |= {job.player.name: job.player for job in jobs}
    return filter(request.is_own, players.values())


def _with_claims(
    request: Request, jobs: Iterable[PlayerExam], claimants: Iterable[PlayerInfo]
) -> tuple[list[PlayerExam], list[ClaimCheck]]:
    """Add the claims about the requested game. Return the faulty ones with the jobs."""
    jobs_by_key = {(job.player.name, job.game.name): job for job in jobs}
    faults, only_game = [], request.game
    for player in claimants:
        for claim in player.claims:
            try:
                game = _claim_game(request, claim)
            except ArenaError as error:
                fault = ClaimCheck(
                    player.name, game_of(claim) or "", claim, RegressionVerdict.FAULT, str(error)
                )
                faults += [fault] if only_game is None else []
                continue
            if only_game is None or only_game.name == game.name:
                job = jobs_by_key.get((player.name, game.name)) or PlayerExam(player, game)
                jobs_by_key[player.name, game.name] = replace(job, claims=(*job.claims, claim))
    return list(jobs_by_key.values()), faults


def _claim_game(request: Request, claim: str) -> Game:
    name = game_of(claim)
    if name is None:
        raise UsageError(f"claim {quoted(claim)} is not a claim: use 'never-loses:GAME'")
    game = request.catalogue.game(name)
    if game.seats > 2:
        raise UsageError(f"claim {quoted(claim)}: claims are about games of two")
    return game


def _require_work(plan: RegressionPlan) -> None:
    """Raise CannotPlay for a player that was named although there is nothing to check of it."""
    players = {job.player.name for job in plan.jobs} | {check.player for check in plan.settled}
    players |= {player.name for player, _ in plan.replayed}
    for player in plan.request.players:
        if player.name not in players:
            games = ", ".join(game_plan.game.name for game_plan in plan.game_plans)
            raise CannotPlay(f"{player.name} plays none of {games} and claims nothing")
