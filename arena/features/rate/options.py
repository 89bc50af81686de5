"""Declare the options of rating results."""

# Annotations are read at run time, so they are not postponed here.
from typing import Annotated, Any, TypedDict

from arena.inputs.stored_options import RecountOption, StoredGameOption
from arena.kinds import FINITE, TEXT, Kind, Number
from arena.signatures import Option

DEFAULT_PRIOR = 0.0

#: The games of a prior: fewer are lost in rounding, more are not a prior but a verdict.
MIN_PRIOR, MAX_PRIOR = 0.01, 1000.0

#: The largest Elo of an anchor, either way.
MAX_ANCHOR = 10_000

_ELOS = Number(-MAX_ANCHOR, MAX_ANCHOR)


class Prior(Kind):
    """Numbers of games of a prior."""

    words = f"0 or a number of games from {MIN_PRIOR:g} to {MAX_PRIOR:g}"

    def check(self, value: Any) -> float:
        """Return the number as it is."""
        games = FINITE.check(value)
        if games and not MIN_PRIOR <= games <= MAX_PRIOR:
            raise ValueError(self.words)
        return games

    def read(self, text: str) -> float:
        """Return the number of a text."""
        return self.check(FINITE.read(text))


class PlayerElo(Kind):
    """Players with an Elo. The name may have an equals sign too."""

    words = f"a player with an Elo from -{MAX_ANCHOR} to {MAX_ANCHOR}"

    def check(self, value: Any) -> tuple[str, float]:
        """Return the two."""
        try:
            player, elo = value
            return TEXT.check(player), _ELOS.check(elo)
        except (TypeError, ValueError):
            raise ValueError(f"{self.words}, as in ('stockfish', 3600)") from None

    def read(self, text: str) -> tuple[str, float]:
        """Return the two of ``PLAYER=ELO``."""
        player, _, elo = text.rpartition("=")
        try:
            return TEXT.check(player or None), _ELOS.read(elo)
        except ValueError:
            raise ValueError(f"{self.words}, as in stockfish=3600") from None


class ScaleOptions(TypedDict, total=False):
    """What sets the scale of ratings."""

    prior: Annotated[
        float,
        Option(
            DEFAULT_PRIOR,
            "--prior GAMES",
            "add this many draws against an average player to each player's results: every"
            " player then has a rating, and groups that did not meet stay apart (default: 0; 2 is"
            " weak); not for games of more than two",
            kind=Prior(),
        ),
    ]
    anchor: Annotated[
        tuple[str, float] | None,
        Option(
            None,
            "--anchor PLAYER=ELO",
            "put the ratings on a known scale: this player has this Elo, and the players that"
            " compare with it move with it",
            kind=PlayerElo(),
        ),
    ]


class RatedStoreOptions(StoredGameOption, RecountOption, ScaleOptions, total=False):
    """Which results of stores are rated, and on which scale."""
