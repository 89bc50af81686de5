"""Lay out what language models were asked in a fight, and what that cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from arena.errors import counted
from arena.player.purse import money

if TYPE_CHECKING:
    from arena.records.fought import Fought
    from arena.records.spending import Spending


def spending_of(fights: Iterable[Fought]) -> list[str]:
    """Say for each language model how often it was asked, what that took, and what went wrong."""
    spent: dict[str, Spending] = {}
    games: Counter[str] = Counter()
    for fight in fights:
        for player in fight.entrants:
            if player.spent is not None:
                so_far = spent.get(player.name)
                spent[player.name] = player.spent if so_far is None else so_far + player.spent
            games[player.name] += fight.pairs * fight.games_a_pair
    lines = []
    for name, each in spent.items():
        lines.append(f"{name}: {', '.join(_taken(each, games[name]))}")
        if each.faults:
            faults = ", ".join(f"{fault} {count}" for fault, count in each.faults.items())
            lines.append(f"  faults: {faults}")
    return lines


def _taken(spent: Spending, games: int) -> list[str]:
    words = [f"{counted(spent.requests, 'answer')} for {counted(spent.moves, 'move')}"]
    if spent.recorded:
        words.append(f"{spent.recorded} of them recorded before")
    words.append(f"{spent.tokens_in:,} tokens in and {spent.tokens_out:,} out")
    if spent.cost:
        a_game = f" ({money(spent.cost / games)} a game)" if games else ""
        words.append(f"cost {money(spent.cost)}{a_game}")
    if spent.requests:
        words.append(f"{spent.seconds / spent.requests:.2f} s an answer")
    return words
