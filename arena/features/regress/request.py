"""Hold the request of a regression run."""

from __future__ import annotations

from functools import cached_property

from arena.dataclass import dataclass
from arena.errors import ArenaError
from arena.features.regress.baseline import Baseline
from arena.features.regress.options import (
    DEFAULT_LEVEL,
    DEFAULT_REGRESSION_MARGIN,
    RegressOptions,
)
from arena.game import Game
from arena.player import PlayerInfo
from arena.player.names import NamedSpec, names_a_file
from arena.plugin.catalogue import Catalogue
from arena.plugin.project import normalized
from arena.plugin.registry import RejectedPlugin

#: With --quick at most one in this many of the pairs is played.
QUICK_PART = 2


@dataclass(frozen=True)
class Request:
    """The user's wishes, and the means to answer them."""

    catalogue: Catalogue
    #: The baseline to compare with. Without one, and unless an update writes it, only claims are
    #: checked.
    baseline: Baseline | None = None
    #: The players that were named; all that are known if none were.
    players: tuple[PlayerInfo, ...] = ()
    #: The distributions whose players are checked if none were named; empty for all.
    projects: frozenset[str] = frozenset()
    #: The game that was named; else those of the baseline, or the default where there is none.
    game: Game | None = None
    default_game: str = ""
    #: The panel that was named; else that of the baseline, or all players.
    panel: tuple[str, ...] = ()
    is_update: bool = False
    is_quick: bool = False
    level: float = DEFAULT_LEVEL
    margin: float = DEFAULT_REGRESSION_MARGIN
    #: The values of an update; None for what the baseline has.
    pairs: int | None = None
    seed: int | None = None
    #: How games are played, and the store that keeps the report; None for the defaults.
    work: RegressOptions | None = None

    @property
    def scope(self) -> str:
        """The players that are checked if none were named, in words."""
        if self.players:
            return ""
        if self.has_own_files:
            return "the players in files in the baseline, as no project here has players"
        if not self.projects:
            return "all that are installed or in the baseline, as no project here has players"
        return f"the players of {', '.join(sorted(self.projects))}, the project in this folder"

    @cached_property
    def has_own_files(self) -> bool:
        """Whether the project is no distribution, but files: players of the baseline."""
        entries = self.baseline.games.values() if self.baseline else ()
        names = {name for entry in entries for name in entry.players}
        installed = {name for name, _ in self.catalogue.players}
        return not self.projects and any(map(self._is_file, names - installed))

    def _is_file(self, name: str) -> bool:
        if names_a_file(self.specs.get(name, name)):
            return True  # also one that does not load now
        try:
            player = self.player(name)
        except ArenaError:  # it is in the baseline, and gone
            return False
        return bool(player.file) and not player.package

    def is_own(self, item: PlayerInfo | RejectedPlugin) -> bool:
        """Return whether a player or a plugin is of the project, or of no distribution.

        Where no project here has players, all are, or those of no distribution if some are in the
        baseline.
        """
        package = normalized(item.package)
        if not package or package in self.projects:
            return True
        return not self.projects and not self.has_own_files

    @property
    def broken(self) -> tuple[RejectedPlugin, ...]:
        """The plugins whose offers cannot be checked and would have been."""
        return () if self.players else tuple(filter(self.is_own, self.catalogue.broken))

    @property
    def specs(self) -> dict[str, str]:
        """Where the players come from whose names do not say it."""
        specs = self.baseline.specs if self.baseline else {}
        return {**specs, **{player.name: player.spec for player in self.players if player.spec}}

    def player(self, name: str) -> PlayerInfo:
        """Return the player that a baseline or a panel has under that name."""
        return self.catalogue.named_player(NamedSpec(name, self.specs.get(name, name)))
