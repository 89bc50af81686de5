"""Compare two policies of a player without sampling: the changes, and their cost.

Both policies meet the same opponents, those that the panel had when the baseline was written, so
what is measured is the player's own change and no other's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from arena.features.regress.policies import PolicyTable, frozen
from arena.features.regress.record import ChangedPosition, Comparison, PanelScore, RegressionVerdict
from arena.game import Game, Position
from arena.games.display import written_otherwise
from arena.player import MoveChances
from arena.proof.certificate import certify
from arena.proof.outcome import exact_result
from arena.proof.policy import Policy
from arena.proof.values import given_away
from arena.records.commands import command_line
from arena.reports.cells import with_fraction

#: Changed positions that a report shows.
MAX_EXAMPLES = 3

#: Changed positions, the earliest, among which mistakes are looked for.
MAX_CANDIDATES = 200


def compare_policies(
    player: str,
    game: Game,
    before: PolicyTable,
    after: PolicyTable,
    panel: Mapping[str, PolicyTable],
) -> Comparison:
    """Return whether the policy is another one, and whether it scores less against the panel.

    Weaker means that the mean of the exact scores over the panel fell, by however little.
    """
    comparison = Comparison(
        player, game.name, RegressionVerdict.SAME, "", "policy", positions=len(after)
    )
    if before == after:
        scores = _scores(player, game, after, panel)
        unchanged = tuple(PanelScore(name, s, s) for name, s in scores.items())
        message = f"each of the {len(after)} positions has the moves of the baseline"
        return replace(comparison, panel=unchanged, message=message)
    changed = [p for p, moves in after.items() if before.get(p, moves) != moves]
    then, now = (_scores(player, game, table, panel) for table in (before, after))
    comparison = replace(
        comparison,
        panel=tuple(PanelScore(name, then[name], now[name]) for name in panel),
        changed=len(changed),
        examples=_examples(player, game, changed, before, after),
        exploitability=(_exploitability(game, before), _exploitability(game, after)),
    )
    return _judged(comparison, sum(now.values()) - sum(then.values()))


def _judged(comparison: Comparison, difference: Fraction | int) -> Comparison:
    """Return the comparison with the verdict for a difference in the sum of the scores."""
    what = f"{comparison.changed} of {comparison.positions} positions changed"
    best = comparison.exploitability
    if best is not None and best[0] != best[1]:
        then, now = map(with_fraction, best)
        what += f", exploitability {then} before and {now} now"
    assert comparison.before is not None
    assert comparison.after is not None
    scores = f"from {float(comparison.before):.4f} to {float(comparison.after):.4f}"
    if difference < 0:
        message = f"{what}; the exact score fell {scores}"
        return replace(comparison, verdict=RegressionVerdict.WEAKER, message=message)
    if difference:
        message = f"{what}; the exact score rose {scores}"
        return replace(comparison, verdict=RegressionVerdict.STRONGER, message=message)
    message = f"{what}; the exact score is {with_fraction(comparison.after)} as it was"
    return replace(comparison, verdict=RegressionVerdict.NO_WEAKER, message=message)


def _scores(
    player: str, game: Game, table: PolicyTable, panel: Mapping[str, PolicyTable]
) -> dict[str, Fraction]:
    """Return the exact score against each of the panel, over both starting orders."""
    policy = Policy(frozen(player, game, table), game)
    return {
        name: exact_result(policy, Policy(frozen(name, game, other), game)).total.score
        for name, other in panel.items()
    }


def _exploitability(game: Game, table: PolicyTable) -> Fraction:
    return certify(frozen("", game, table), game).exploitability


def _shares(chances: Mapping[int, Fraction]) -> dict[int, str]:
    """Return how often each move is played, in percent, as it stands on a board."""
    return {move: f"{100 * float(chance):.3g}" for move, chance in chances.items() if chance}


def _examples(
    player: str, game: Game, changed: list[Position], before: PolicyTable, after: PolicyTable
) -> tuple[ChangedPosition, ...]:
    """Return the first few changed positions, those with a new mistake before the others."""
    earliest = sorted(changed, key=lambda position: (position.ply, str(position)))
    examples = [
        ChangedPosition(
            position=str(position),
            picture=position.picture(),
            before=_by_name(game, before[position]),
            after=_by_name(game, after[position]),
            mistakes=_mistakes(position, before[position], after[position]),
            command=command_line("move", player, str(position), game=game.name),
            svg_before=position.svg(marks=_shares(before[position])),
            svg_after=position.svg(marks=_shares(after[position])),
            written=written_otherwise(position, [*before[position], *after[position]]),
        )
        for position in earliest[:MAX_CANDIDATES]
    ]
    examples.sort(key=lambda example: not example.mistakes)
    return tuple(examples[:MAX_EXAMPLES])


def _by_name(game: Game, moves: MoveChances) -> dict[str, Fraction]:
    return {game.format_move(move): chance for move, chance in moves.items()}


def _mistakes(position: Position, before: MoveChances, after: MoveChances) -> dict[str, str]:
    """Return the values that the moves lose that have become more likely."""
    likelier = [move for move, chance in after.items() if chance > before.get(move, 0)]
    given = {position.game.format_move(move): given_away(position, move) for move in likelier}
    return {name: away for name, away in given.items() if away}
