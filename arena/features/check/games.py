"""Check the rules of a game against the contract of :mod:`arena.game`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from arena.errors import describe
from arena.features.check import consistency, rules, unseen
from arena.features.check.record import CheckReport, Finding, Level
from arena.features.check.walk import Problem, Walk, walk
from arena.game import Game
from arena.player.faults import where
from arena.proof import progress

#: Promises that every game must keep, by the name of the finding, each in the words of a report.
PROMISES: dict[str, tuple[Callable[[Walk], None], str]] = {
    "start": (rules.start, "games begin at ply 0, always with the same position"),
    "legal moves": (rules.legal_moves, "ints that ascend; only a finished game has none"),
    "refusals": (rules.refusals, "play() raises IllegalMove for every other int"),
    "immutable": (rules.immutable, "a position does not change and cannot be changed"),
    "equality": (rules.equality, "equal positions have one text, one hash, equal answers"),
    "text": (rules.text, "parse() reads str(position), and refuses nonsense"),
    "moves as text": (
        rules.moves_as_text,
        "parse_move() reads format_move(), and refuses nonsense",
    ),
    "picture": (rules.picture, "picture() and svg() draw every position"),
    "turns": (rules.turns, "positions say whose turn it is, and count the moves"),
    "outcome": (rules.outcomes, "outcome() is None or an Outcome"),
    "history": (rules.history, "history(), where a position has one, leads to it"),
    "pickling": (rules.pickling, "other processes get equal games and positions"),
}

#: Promises of games without luck, secrets and payoffs, about what helps a search.
OF_PLAIN_GAMES: dict[str, tuple[Callable[[Walk], None], str]] = {
    "symmetries": (consistency.symmetries, "images have each other's moves and one canonical()"),
    "can_win": (consistency.can_win, "a side that cannot win does not"),
    "is_dead_draw": (consistency.is_dead_draw, "a side does not win after a dead draw"),
    "plies_to_win": (consistency.plies_to_win, "a side does not win sooner than it is said to"),
    "search_moves": (consistency.search_moves, "they are legal moves, one of the best among them"),
    "play_out": (consistency.play_out, "random games end as games can end"),
}

#: Promises of the other games.
OF_OTHER_GAMES: dict[str, tuple[Callable[[Walk], None], str]] = {
    "luck": (unseen.luck, "chance makes the legal moves, with shares that add up to 1"),
    "payoffs": (unseen.payoffs, "they are in their range and add up as the game says"),
    "observations": (unseen.observations, "parse_observation() reads what a seat knows"),
    "secrets": (unseen.secrets, "no seat sees what it should not, or forgets what it saw"),
}


def check_game(game: Game, seed: int, called: str) -> CheckReport:
    """Return every finding about a game, in this process, where a debugger may look.

    ``called`` is the expression that returns the game where its author tries what was found.
    """
    extent, findings = "nothing", list[Finding]()
    try:
        walked = walk(game, seed)
    except Exception as error:
        findings.append(_finding(called, "walk", error))
    else:
        extent = walked.extent
        findings += _findings(walked, called)
    return CheckReport(None, game.name, game.version, seed, extent, tuple(findings))


def _findings(walked: Walk, called: str) -> Iterator[Finding]:
    moves = max(len(node.line) for node in walked.nodes)
    message = f"at most {moves} moves; max_plies is {walked.game.max_plies}"
    yield Finding("walk", Level.PASS, message)
    others = OF_OTHER_GAMES if walked.game.features else OF_PLAIN_GAMES
    promises = PROMISES | others
    for done, (name, (look, promise)) in enumerate(promises.items()):
        progress.tell(done, len(promises), "promises")
        try:
            look(walked)
        except Exception as error:
            yield _finding(called, name, error)
        else:
            yield Finding(name, Level.PASS, promise)


def _finding(called: str, name: str, error: Exception) -> Finding:
    if not isinstance(error, Problem):
        place = where(error)
        raised = f"{describe(error)} ({place})" if place else describe(error)
        return Finding(name, Level.FAIL, f"it raises {raised}")
    line = "".join(f".play({move})" for move in error.line)
    moves = f"after {' '.join(map(str, error.line))}" if error.line else "at the start"
    return Finding(name, Level.FAIL, f"{error.message} ({moves})", f"{called}.start(){line}")
