"""Check the rules of a game against the contract of :mod:`arena.game`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import NamedTuple

from arena.errors import GameFault, describe
from arena.features.check import consistency, rules, seats, texts, unseen
from arena.features.check.options import MAX_HISTORIES
from arena.features.check.record import CheckReport, Finding, Level
from arena.features.check.walk import ContractBreach, PositionWalk, walk
from arena.game import Game, Position
from arena.games.contract import examined, payoffs_of, tried
from arena.player.faults import where
from arena.proof import progress


class Promise(NamedTuple):
    """A promise of every game."""

    #: Raises ContractBreach, or any other exception, where the promise is broken.
    look: Callable[[PositionWalk], None]
    #: The promise in the words of a report.
    words: str
    #: Methods of positions that a game need not write.
    methods: tuple[str, ...] = ()

    def pass_text(self, position: Position) -> str:
        """Return the words for a game that keeps it: that it has only the defaults, if so."""
        kind = type(position)
        if not self.methods or any(
            getattr(kind, name) is not getattr(Position, name) for name in self.methods
        ):
            return self.words
        names = " and ".join(f"{name}()" for name in self.methods)
        return f"default: {names} {'is' if len(self.methods) == 1 else 'are'} not written"


def played(walk: PositionWalk) -> None:
    """Require what arena requires of a game that it plays."""
    for node in walk.nodes:
        try:
            _examine(walk.game, node.position)
        except GameFault as fault:
            raise ContractBreach(str(fault), node.line) from fault
    try:
        tried(walk.game)
    except GameFault as fault:
        raise ContractBreach(str(fault)) from fault


def _examine(game: Game, position: Position) -> None:
    moves = examined(game, position)
    if not moves and game.is_paid:
        payoffs_of(position)


#: Promises that every game must keep, by the name of the finding.
PROMISES: dict[str, Promise] = {
    "start": Promise(rules.start, "games begin at ply 0, always with the same position"),
    "legal moves": Promise(rules.legal_moves, "ints that ascend; only a finished game has none"),
    "refusals": Promise(rules.refusals, "play() raises IllegalMove for every other int"),
    "immutable": Promise(rules.immutable, "a position does not change and cannot be changed"),
    "equality": Promise(rules.equality, "equal positions have one text, one hash, equal answers"),
    "text": Promise(texts.text, "parse() reads str(position), and refuses near misses"),
    "moves as text": Promise(
        texts.moves_as_text, "parse_move() reads format_move(), not near misses"
    ),
    "picture": Promise(rules.picture, "picture() and svg() draw every position"),
    "turns": Promise(rules.turns, "positions say whose turn it is, and count the moves"),
    "outcome": Promise(rules.outcomes, "outcome() is None or an Outcome"),
    "history": Promise(
        rules.history, "history(), where a position has one, leads to it", ("history",)
    ),
    "pickling": Promise(rules.pickling, "other processes get equal games and positions"),
}

#: Promises of games without luck, secrets and payoffs, about what helps a search.
OF_PLAIN_GAMES: dict[str, Promise] = {
    "symmetries": Promise(
        consistency.symmetries,
        "images have each other's moves and one canonical()",
        ("images", "canonical"),
    ),
    "can_win": Promise(consistency.can_win, "a side that cannot win does not", ("can_win",)),
    "is_dead_draw": Promise(
        consistency.is_dead_draw, "a side does not win after a dead draw", ("is_dead_draw",)
    ),
    "plies_to_win": Promise(
        consistency.plies_to_win,
        "a side does not win sooner than it is said to",
        ("plies_to_win",),
    ),
    "search_moves": Promise(
        consistency.search_moves,
        "they are legal moves, one of the best among them",
        ("search_moves",),
    ),
    "play_out": Promise(consistency.play_out, "random games end as games can end", ("play_out",)),
}

#: Promises of the other games.
OF_OTHER_GAMES: dict[str, Promise] = {
    "luck": Promise(unseen.luck, "chance makes the legal moves, with shares that add up to 1"),
    "payoffs": Promise(unseen.payoffs, "they are in their range and add up as the game says"),
    "observations": Promise(unseen.observations, "parse_observation() reads what a seat knows"),
}

#: The promise about secrets in the words of a report.
SECRETS = "a seat learns what its observation says alone, and forgets nothing"

#: The promise of games that can be told in other words.
OF_DISGUISED = {"disguise": Promise(texts.disguise, "other words for it are one to one")}

#: Promises of games for more than two.
OF_TABLES: dict[str, Promise] = {
    "seats": Promise(seats.seats, "2 to 8, and each of them moves in some game"),
    "without": Promise(
        seats.without,
        "a seat that leaves is not to move any more, and the game ends",
        ("without",),
    ),
}


def check_game(
    game: Game, seed: int, called: str, histories: int = MAX_HISTORIES, misnamed: str = ""
) -> CheckReport:
    """Return every finding about a game, in this process, where a debugger may look.

    ``called`` is the expression that returns the game where its author tries what was found. A game
    with secrets is followed for leaks as far as ``histories`` says, see :func:`find_leaks`.
    ``misnamed`` says why the game is not found by its name, empty if it is.
    """
    extent, findings = "nothing", list[Finding]()
    if misnamed:
        findings.append(Finding("name", Level.FAIL, misnamed))
    try:
        walked = walk(game, seed)
    except Exception as error:
        findings.append(_finding(called, "walk", error))
    else:
        extent = walked.extent
        findings += _findings(walked, called, histories)
        if all(finding.level != Level.FAIL for finding in findings):
            findings += _refused(walked, called)
    return CheckReport(None, game.name, game.version, seed, extent, tuple(findings))


def _findings(walked: PositionWalk, called: str, histories: int) -> Iterator[Finding]:
    moves = max(len(node.line) for node in walked.nodes)
    message = f"at most {moves} moves; max_plies is {walked.game.max_plies}"
    yield Finding("walk", Level.PASS, message)
    others = OF_OTHER_GAMES if walked.game.features else OF_PLAIN_GAMES
    promises = PROMISES | others | (OF_TABLES if walked.game.seats > 2 else {})
    if type(walked.game).disguise is not Game.disguise:
        promises |= OF_DISGUISED
    for done, (name, promise) in enumerate(promises.items()):
        progress.tell(done, len(promises), "promises")
        try:
            promise.look(walked)
        except Exception as error:
            yield _finding(called, name, error)
        else:
            yield Finding(name, Level.PASS, promise.pass_text(walked.nodes[0].position))
    if walked.game.start().has_secrets:
        yield from _unseen(walked, called, histories)
    elif walked.game.features:  # it may forget how a position came about
        yield Finding("secrets", Level.PASS, "default: observation() is not written")


def _refused(walked: PositionWalk, called: str) -> Iterator[Finding]:
    """Yield what a fight would refuse, after a check in which nothing else was found."""
    try:
        played(walked)
    except Exception as error:
        yield _finding(called, "contract", error)


def _unseen(walked: PositionWalk, called: str, histories: int) -> Iterator[Finding]:
    """Yield what a seat learns that it should not, each leak, and what it sees."""
    try:
        secrecy = unseen.secrets(walked, histories)
        problems = unseen.problems(walked, secrecy)
    except Exception as error:
        yield _finding(called, "secrets", error)
    else:
        yield from (_finding(called, "secrets", problem) for problem in problems)
        if not problems:
            yield Finding("secrets", Level.PASS, SECRETS)
        yield Finding("histories", Level.INFO, unseen.followed(secrecy))
    with suppress(Exception):  # the promise about observations finds it
        yield Finding("what is seen", Level.INFO, unseen.example(walked))


def _finding(called: str, name: str, error: Exception) -> Finding:
    if not isinstance(error, ContractBreach):
        place = where(error)
        raised = f"{describe(error)} ({place})" if place else describe(error)
        return Finding(name, Level.FAIL, f"it raises {raised}")
    line = "".join(f".play({move})" for move in error.line)
    moves = f"after {' '.join(map(str, error.line))}" if error.line else "at the start"
    return Finding(name, Level.FAIL, f"{error.message} ({moves})", f"{called}.start(){line}")
