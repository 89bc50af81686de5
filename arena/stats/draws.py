"""Rates of draws, of games and of pairs, and whether counts of both belong together.

Two rates go by the name of draw rate: drawn games out of all games, and pairs that ended level, by
two draws or by a win each, out of all pairs. fastchess prints the second as ``DrawRatio``; they
differ.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.errors import UsageError
from arena.stats import grid
from arena.stats.elo import Estimate


def drawn_games(games: Sequence[int]) -> float | None:
    """The rate of draws in games lost, drawn and won; None if nothing was played.

    >>> drawn_games([1, 2, 1])
    0.5
    """
    _check(games, 3)
    return games[1] / sum(games) if sum(games) else None


def level_pairs(pairs: Sequence[int]) -> float | None:
    """The rate of pairs DD or WL, of LL, LD, DD or WL, WD, WW; None if nothing was played.

    >>> level_pairs([0, 1, 3, 0, 0])
    0.75
    """
    _check(pairs, 5)
    return pairs[2] / sum(pairs) if sum(pairs) else None


def pairs_ratio(pairs: Sequence[int]) -> Estimate:
    """Pairs won for every pair lost, (WW + WD) / (LD + LL); None, with the reason, without those.

    >>> pairs_ratio([1, 3, 9, 4, 2]).value
    1.5
    """
    _check(pairs, 5)
    ll, ld, _, wd, ww = pairs
    if not ll + ld:
        return Estimate(None, reason="no pair was lost" if ww + wd else "no pair was won or lost")
    return Estimate((ww + wd) / (ll + ld))


def broken_law(games: Sequence[int], pairs: Sequence[int]) -> str | None:
    """Which law counts of games and of the pairs they make up break; None if they obey all.

    The laws are those of fishtest's schema: as many games as two for each pair, the same points,
    and draws for every pair with just one, and two or none for every level pair.

    >>> broken_law([0, 1, 3], [0, 0, 0, 1, 1])
    >>> broken_law([0, 2, 2], [0, 0, 0, 1, 1])
    'wins less losses are 2 in games and 3 in pairs'
    """
    _check(games, 3)
    _check(pairs, 5)
    losses, draws, wins = games
    ll, ld, level, wd, ww = pairs
    if sum(games) != 2 * sum(pairs):
        return f"{sum(games)} games are not two for each of {sum(pairs)} pairs"
    surplus = 2 * (ww - ll) + wd - ld
    if wins - losses != surplus:
        return f"wins less losses are {wins - losses} in games and {surplus} in pairs"
    if not wd + ld <= draws <= wd + ld + 2 * level:
        most = wd + ld + 2 * level
        return f"{draws} draws are not from {wd + ld} to {most}, as the pairs have it"
    return None


def _check(counts: Sequence[int], cells: int) -> None:
    grid.scores(counts)
    if len(counts) != cells:
        raise UsageError(f"counts {list(counts)} must be {cells}")
