"""Say on which rung of a ladder each entrant of a contest stands.

The ladder is the players of the contest's file, which never change. They are ordered by their rank
now. The rung of an entrant is the highest of them that it is surely better than.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from arena.model.defaults import DEFAULT_ALPHA
from arena.records.fights import FightResult
from arena.records.intervals import anytime


def rungs(ladder: Sequence[str], fights: Sequence[FightResult]) -> dict[str, str]:
    """Return the rung of every player that has one. The ``ladder`` begins with the highest rung.

    Of the statements about one entrant, all hold at all looks, with an error of DEFAULT_ALPHA at
    most: its interval against each rung has its share of that error. A game has no rungs if the
    middle of its payoffs is not an even score.
    """
    beaten: dict[str, set[str]] = {}
    for fight in fights:
        if fight.paid is not None and fight.paid.total != fight.paid.least + fight.paid.most:
            continue
        rung = next((name for name in fight.players if name in ladder), None)
        if rung is not None and _is_sure(rung, fight, len(ladder)):
            other = next(name for name in fight.players if name != rung)
            beaten.setdefault(other, set()).add(rung)
    return {name: _highest(ladder, lower) for name, lower in beaten.items() if name not in ladder}


def _is_sure(rung: str, fight: FightResult, rungs: int) -> bool:
    """Return whether the other player of a fight is surely better than the rung."""
    interval = anytime(fight.watched, DEFAULT_ALPHA / rungs)
    if interval is None:
        return False
    return interval.high < 0.5 if rung == fight.players[0] else interval.low > 0.5


def _highest(ladder: Sequence[str], beaten: Collection[str]) -> str:
    return next(rung for rung in ladder if rung in beaten)
