"""Check the rules of a game against the contract of :mod:`arena.game`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from arena.conformance import consistency, rules
from arena.conformance.walk import Problem, Walk, walk
from arena.errors import describe
from arena.game import Game
from arena.records.checks import CheckReport, Finding, Level

#: Promises that every game must keep, by the name of the finding.
PROMISES: dict[str, Callable[[Walk], None]] = {
    "start": rules.start,
    "legal moves": rules.legal_moves,
    "refusals": rules.refusals,
    "immutable": rules.immutable,
    "equality": rules.equality,
    "text": rules.text,
    "moves as text": rules.moves_as_text,
    "picture": rules.picture,
    "turns": rules.turns,
    "outcome": rules.outcomes,
    "history": rules.history,
    "symmetries": consistency.symmetries,
    "can_win": consistency.can_win,
    "is_dead_draw": consistency.is_dead_draw,
    "plies_to_win": consistency.plies_to_win,
    "search_moves": consistency.search_moves,
    "play_out": consistency.play_out,
    "pickling": rules.pickling,
}


def check_game(game: Game, seed: int) -> CheckReport:
    """Return every finding about a game, in this process, where a debugger may look."""
    extent, findings = "nothing", list[Finding]()
    try:
        walked = walk(game, seed)
    except Exception as error:
        findings.append(_finding(game, "walk", error))
    else:
        extent = walked.extent
        findings += _findings(walked)
    return CheckReport(None, game.name, game.version, seed, extent, tuple(findings))


def _findings(walked: Walk) -> Iterator[Finding]:
    moves = max(len(node.line) for node in walked.nodes)
    message = f"at most {moves} moves; max_plies is {walked.game.max_plies}"
    yield Finding("walk", Level.PASS, message)
    for name, look in PROMISES.items():
        try:
            look(walked)
        except Exception as error:
            yield _finding(walked.game, name, error)
        else:
            yield Finding(name, Level.PASS, (look.__doc__ or "").strip().rstrip("."))


def _finding(game: Game, name: str, error: Exception) -> Finding:
    if not isinstance(error, Problem):
        return Finding(name, Level.FAIL, f"it raises {describe(error)}")
    line = "".join(f".play({move})" for move in error.line)
    where = " ".join(map(str, error.line)) or "no moves"
    position = f"arena.get_game({game.name!r}).start(){line}"
    return Finding(name, Level.FAIL, f"{error.message} (after {where})", position)
