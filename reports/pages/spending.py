"""Lay out what language models were asked, and what that cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from typing import TYPE_CHECKING

from arena.errors import counted
from arena.player.purse import money
from arena.reports.cells import percent

if TYPE_CHECKING:
    from arena.records.fought import Fought
    from arena.records.spending import Spending


#: What to do before games of which nobody kept the answers.
ASK_TO_RECORD = "to see single games later, play with --record FILE or --store FILE"


def spending_of(fights: Iterable[Fought]) -> list[str]:
    """Say for each language model how often it was asked, what that took, and what went wrong."""
    spent: dict[str, Spending] = {}
    games: Counter[str] = Counter()
    fights = list(fights)
    for fight in fights:
        for player in fight.entrants:
            if player.spent is not None:
                so_far = spent.get(player.name)
                spent[player.name] = player.spent if so_far is None else so_far + player.spent
            games[player.name] += fight.pairs * fight.games_a_pair
    lines = [
        line for name, each in spent.items() for line in spending(name, each, games[name], "game")
    ]
    costs = {name: each.cost / games[name] for name, each in spent.items() if games[name]}
    ranked = sorted((name for name in costs if costs[name]), key=lambda name: costs[name])
    lines += [
        f"a game costs {percent(float(costs[cheap] / costs[dear]))} for {cheap} of what it costs"
        f" for {dear}"
        for cheap, dear in combinations(ranked, 2)
    ]
    return lines + [ASK_TO_RECORD] * any(fight.is_lost for fight in fights)


def spending(name: str, spent: Spending, number: int, unit: str) -> list[str]:
    """Say what a language model took for a number of games or questions."""
    words = [f"{counted(spent.requests, 'answer')} for {counted(spent.moves, 'move')}"]
    if spent.recorded:
        words.append(f"{spent.recorded} of them recorded before")
    if spent.uncounted < spent.requests:
        words.append(f"{spent.tokens_in:,} tokens in and {spent.tokens_out:,} out")
    if spent.uncounted:
        words.append(f"the server did not count the tokens of {spent.uncounted}")
    if spent.cost:
        each = f" ({money(spent.cost / number)} a {unit})" if number else ""
        words.append(f"cost {money(spent.cost)}{each}")
    if spent.requests:
        words.append(f"{spent.seconds / spent.requests:.2f} s an answer")
    lines = [f"{name}: {', '.join(words)}"]
    if spent.faults:
        faults = ", ".join(f"{fault} {count}" for fault, count in spent.faults.items())
        lines.append(f"  faults: {faults}")
    return lines
