"""Hold what the results of all fights have, whatever the number of players."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import unquote

from arena.records.base import Record
from arena.records.commands import command_line, limit_options, with_plugins
from arena.records.entrants import PlayerResult
from arena.records.times import TimesByPlayer, times_by_player
from arena.records.void import VoidPairs
from arena.rng import without_self


class Fought(Record):
    """The result of a fight: of two players, or of more at a table."""

    game: str
    game_version: int
    seed: int
    engine: str
    #: Pairs, or blocks, that were asked for.
    planned: int
    #: The reason if fewer were played; None if all were.
    unfinished: str | None
    #: Void games, by a fault of the arena or the machine; they are in no count of results.
    void: int
    #: The pairs of these games.
    void_pairs: tuple[VoidPairs, ...]
    #: ``duplicate`` or ``independent`` deals; empty for a game without luck.
    deals: str
    #: The orders in which the players sit down.
    seatings: str
    #: The plugins in files without which the games cannot be played again.
    plugins: tuple[str, ...]
    #: The file that has the answers of language models, empty without one.
    answers: str

    @property
    def entrants(self) -> Sequence[PlayerResult]:
        """The facts of every player, in the order of the pairing."""
        raise NotImplementedError

    @property
    def players(self) -> Sequence[str]:
        """The names of the players."""
        raise NotImplementedError

    @property
    def pairs(self) -> int:
        """Number of pairs, or blocks, of which all games were played."""
        raise NotImplementedError

    @property
    def games_a_pair(self) -> int:
        """Number of games of a pair, or of a block."""
        raise NotImplementedError

    @property
    def is_someone_withdrawn(self) -> bool:
        """Whether a player plays no more, since it cannot be started."""
        return any(player.withdrawn is not None for player in self.entrants)

    @property
    def killed_workers(self) -> bool:
        """Whether some pairs ended the processes that played them. Then no player is rated by the
        others: a player could end its process when it is about to lose.
        """
        return any(pairs.killed for pairs in self.void_pairs)

    @property
    def specs(self) -> dict[str, str]:
        """Where the players come from whose names do not say it."""
        return {player.name: player.spec for player in self.entrants if player.spec}

    @property
    def times(self) -> TimesByPlayer:
        """The clocks of the players, and the time that they took, if there are any."""
        return times_by_player(self.entrants)

    @property
    def is_lost(self) -> bool:
        """Whether its games cannot be played again: nobody kept what language models answered."""
        return not self.answers and any(player.spent is not None for player in self.entrants)

    def replay_of(self, game_id: str | None) -> str:
        """Return the command that plays a game of the fight again, empty if there is none."""
        if self.is_lost:
            return ""
        specs = dict.fromkeys(
            f"{without_self(player.name)}={player.spec}" for player in self.entrants if player.spec
        )
        players = [word for spec in specs for word in ("--player", spec)]
        record = ("--record", self.answers) if self.answers else ()
        command = command_line("replay", str(game_id), *players, *record, *self._limits(game_id))
        return with_plugins(command, self.plugins)

    def _limits(self, game_id: str | None) -> list[str]:
        """Return the options of the players' limits, with their names as an id has them."""
        names = map(unquote, str(game_id).split("/")[1:])
        isolated = zip(names, self.entrants, strict=False)
        return limit_options({n: each.limits for n, each in isolated if each.isolation != "none"})
