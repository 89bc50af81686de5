"""Plan a regression run: the players, the games, and the opponents."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from arena.errors import ArenaError, CannotPlay, UsageError, quoted
from arena.game import Game
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.records.regression import ClaimCheck, Comparison, Verdict
from arena.regression.baseline import Baseline, FrozenGames, FrozenPolicy, GameBaseline
from arena.regression.claims import game_of
from arena.regression.request import Request
from arena.regression.study import Job


@dataclass
class Plan:
    """The work of a run, and the verdicts that do not need any."""

    #: What is studied without games, by the names of the player and the game.
    jobs: dict[tuple[str, str], Job] = field(default_factory=dict)
    #: Those whose games of the baseline are played again.
    replayed: list[tuple[PlayerInfo, Game]] = field(default_factory=list)
    #: The panel at each game.
    panels: dict[str, tuple[str, ...]] = field(default_factory=dict)
    #: The games at which players are compared, by name.
    games: dict[str, Game] = field(default_factory=dict)
    #: Who is to be in a new baseline at each game, even if only games can tell of them.
    wanted: dict[str, list[str]] = field(default_factory=dict)
    #: Who is gone and is to leave a new baseline, by player and game.
    gone: set[tuple[str, str]] = field(default_factory=set)
    claims: list[ClaimCheck] = field(default_factory=list)
    comparisons: list[Comparison] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, player: PlayerInfo, game: Game, **more: object) -> None:
        """Have a player studied at a game; adds to what is studied already."""
        job = self.jobs.get((player.name, game.name)) or Job(player, game)
        self.jobs[player.name, game.name] = replace(job, **more)  # type: ignore[arg-type]


def make_plan(request: Request, baseline: Baseline | None, catalogue: Catalogue) -> Plan:
    """Make the plan; without a baseline it checks only claims. Raises UsageError if impossible."""
    plan = Plan()
    planner = _Planner(request, baseline or Baseline(), catalogue, plan)
    for game in planner.games():
        if baseline is not None or request.is_update:
            planner.compare_at(game)
    for player in planner.claimants():
        for claim in player.claims:
            planner.check(player, claim)
    if baseline is not None or request.is_update:
        planner.require_work()
    return plan


@dataclass(frozen=True)
class _Planner:
    request: Request
    baseline: Baseline
    catalogue: Catalogue
    plan: Plan

    def games(self) -> list[Game]:
        """Return the games at which players are compared."""
        if self.request.game is not None:
            return [self.request.game]
        games = [entry.game for entry in self.baseline.games.values()]
        return games or [self.catalogue.game(self.request.default_game)]

    def claimants(self) -> list[PlayerInfo]:
        """Return the named players, or all that are installed or in the baseline."""
        if self.request.players:
            return list(self.request.players)
        found = {name: self.catalogue.player(name) for name, _ in self.catalogue.players}
        found |= {player.name: player for player, _ in self.plan.replayed}
        found |= {job.player.name: job.player for job in self.plan.jobs.values()}
        return list(found.values())

    def check(self, player: PlayerInfo, claim: str) -> None:
        """Have a claim checked, if it is about the game that was asked for."""
        name, asked = game_of(claim), self.request.game
        try:
            if name is None:
                raise UsageError(f"claim {quoted(claim)} is none: use 'never-loses:GAME'")
            game = self.catalogue.game(name)
        except ArenaError as error:
            if asked is None:
                fault = ClaimCheck(player.name, name or "", claim, Verdict.FAULT, str(error))
                self.plan.claims.append(fault)
            return
        if asked is None or asked.name == game.name:
            job = self.plan.jobs.get((player.name, game.name))
            self.plan.add(player, game, claims=(*(job.claims if job else ()), claim))

    def require_work(self) -> None:
        """Raise UsageError for a named player without anything to check."""
        checked = {name for name, _ in self.plan.jobs}
        checked |= {player.name for player, _ in self.plan.replayed}
        checked |= {check.player for check in self.plan.claims}
        checked |= {comparison.player for comparison in self.plan.comparisons}
        for player in self.request.players:
            if player.name not in checked:
                raise CannotPlay(
                    f"{player.name} plays none of {', '.join(self.plan.games)} and claims nothing"
                )

    def compare_at(self, game: Game) -> None:
        """Have the players at a game compared, or found out about for a new baseline."""
        self.plan.games[game.name] = game
        entry = self.baseline.games.get(game.name) or GameBaseline(game, (), {})
        panel = self.plan.panels[game.name] = self._panel(entry)
        players = self._players(entry)
        for player in players:
            self._compare(player, entry)
        if self.request.is_update:
            self.plan.wanted[game.name] = [player.name for player in players]
            for name in panel:
                if name not in entry.players and (name, game.name) not in self.plan.jobs:
                    self.plan.add(self.catalogue.player(name), game, is_wanted=True)

    def _compare(self, player: PlayerInfo, entry: GameBaseline) -> None:
        frozen, game = entry.players.get(player.name), entry.game
        if isinstance(frozen, FrozenPolicy):
            panel = entry.policies_of(self.plan.panels[game.name])
            self.plan.add(
                player,
                game,
                before=frozen.table,
                panel=panel or {player.name: frozen.table},
                is_wanted=self.request.is_update,
            )
        elif self.request.is_update:
            self.plan.add(player, game, is_wanted=True)
        elif isinstance(frozen, FrozenGames):
            self.plan.replayed.append((player, game))
        else:
            new = Comparison(player.name, game.name, Verdict.NEW, "it is not in the baseline")
            self.plan.comparisons.append(new)

    def _panel(self, entry: GameBaseline) -> tuple[str, ...]:
        named, game = self.request.panel, entry.game
        for name in named:
            if self.request.is_update:
                self.catalogue.player(name).require(game)
            elif name not in entry.panel:
                raise UsageError(
                    f"{quoted(name)} is not of the panel at {game.name} in the baseline, which is"
                    f" {', '.join(entry.panel) or 'empty'}; --update sets another"
                )
        everybody = tuple(info.name for info in self.catalogue.everybody(game))
        return tuple(dict.fromkeys(named or entry.panel or everybody))

    def _players(self, entry: GameBaseline) -> list[PlayerInfo]:
        """Return the players of a game: the named, or the baseline's and the installed."""
        game = entry.game
        if self.request.players:
            for player in self.request.players:
                if self.request.game is not None:
                    player.require(game)
            return [player for player in self.request.players if player.plays(game)]
        only_panel = set(entry.panel) - set(entry.players)
        found = {i.name: i for i in self.catalogue.everybody(game) if i.name not in only_panel}
        for name in sorted(set(entry.players) - set(found)):
            try:
                found[name] = self.catalogue.player(name)
                found[name].require(game)
            except ArenaError as error:
                found.pop(name, None)
                self._miss(name, game, error)
        return [found[name] for name in sorted(found)]

    def _miss(self, name: str, game: Game, error: ArenaError) -> None:
        """Say that a player of the baseline is gone; an update takes that for wanted."""
        if self.request.is_update:
            self.plan.gone.add((name, game.name))
            self.plan.notes.append(f"{name} at {game.name} leaves the baseline: {error}")
        else:
            message = f"it is in the baseline and cannot be had: {error}"
            self.plan.comparisons.append(Comparison(name, game.name, Verdict.FAULT, message))
