"""Tests for pytest that fail until what a check found is mended."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from arena.features.regress.record import (
    Check,
    ClaimCheck,
    Comparison,
    RegressionReport,
    RegressionVerdict,
)
from arena.player.names import NamedSpec
from arena.records.replays import ReplayReport

_IMPORTS = {
    "Fraction(": "from fractions import Fraction",
    "Path(": "from pathlib import Path",
    "arena.": "import arena",
}


def failing_test(report: RegressionReport, path: Path) -> str:
    """Return the text of a file at the path with a test for each failure."""
    tests: dict[str, str] = {}
    for check in report.failures:
        name = re.sub(r"\W+", "_", f"test_{check.player}_at_{check.game}_{check.what}").lower()
        while name in tests:
            name += "_too"
        tests[name] = "\n".join(_test(check, name, report, path))
    body = "\n\n\n".join(tests.values())
    imports = [line for use, line in _IMPORTS.items() if use in body]
    standard, own_imports = [i for i in imports if i[0] == "f"], [i for i in imports if i[0] == "i"]
    blocks = ['"""Fails until what arena regress found is mended."""']
    blocks += ["\n".join(block) for block in (standard, own_imports) if block]
    return "\n\n".join(blocks) + f"\n\n\n{body}\n"


def _test(check: Check, name: str, report: RegressionReport, path: Path) -> Iterator[str]:
    named, game = partial(_player_text, report), repr(check.game)
    player = repr(named(check.player))
    scores = _fallen_scores(check, report)
    if isinstance(check, ClaimCheck) and check.method == "proof":
        yield f"def {name}(never_loses):"
        yield f"    never_loses({player}, game={game})"
    elif isinstance(check, ClaimCheck) and check.line and check.line.game:
        replay = _replay_text(check.line.game, named)
        yield f"def {name}():"
        yield f"    assert {replay}.winner in ({check.player!r}, None)"
    elif scores:
        yield f"def {name}(scores_against):"
        yield f"    player, game = {player}, {game}"
        for opponent, score in scores:
            at_least = f"at_least=Fraction({score!r})"
            yield f"    scores_against(player, {named(opponent)!r}, {at_least}, game=game)"
    else:
        yield f"def {name}():"
        if report.baseline is None:
            yield f"    report = arena.regress([{player}], game={game})"
        else:
            where = os.path.relpath(report.baseline, path.parent)
            yield f"    baseline = Path(__file__).parent / {where!r}"
            yield f"    report = arena.regress([{player}], game={game}, baseline=baseline)"
        yield "    assert report.exit_code == 0, [check.message for check in report.failures]"


def _player_text(report: RegressionReport, player: str) -> str:
    """Return how the user names a player: ``alice=./alice.py``, where its name does not say it."""
    origin = report.players.get(player)
    return str(NamedSpec(player, origin.spec if origin and origin.spec else player))


def _replay_text(game: ReplayReport, named: Callable[[str], str]) -> str:
    """Return the call that plays a game again."""
    specs = [named(player) for player in game.players if named(player) != player]
    players = f", players={specs!r}" if specs else ""
    return f"arena.replay({game.game_id!r}{players})"


def _fallen_scores(check: Check, report: RegressionReport) -> list[tuple[str, str]]:
    """Return the exact scores that fell, against opponents that still play as they did."""
    if not isinstance(check, Comparison) or check.method != "policy":
        return []
    same = {
        other.player
        for other in report.comparisons
        if other.game == check.game and other.verdict == RegressionVerdict.SAME
    }
    return [
        (score.opponent, str(score.before))
        for score in check.panel
        if score.after < score.before and score.opponent in same
    ]
