"""Check what games with luck, secrets or payoffs promise beside the rest.

Each function raises ContractBreach, or any other exception, where the promise is broken.
"""

from __future__ import annotations

import random
from fractions import Fraction

from arena.errors import class_name, describe
from arena.features.check.record import Secrecy
from arena.features.check.secrets import find_leaks, misfit
from arena.features.check.walk import ContractBreach, PositionWalk, WalkPosition, require
from arena.game import CHANCE, Position, outcome_of
from arena.games.contract import lacks_observation

#: Characters of an observation that are shown.
MAX_SEEN = 60

#: Moves of a history that a message has, its last ones.
MAX_WORDS = 20


def luck(walk: PositionWalk) -> None:
    """Require that chance makes the legal moves, with probabilities that add up to 1."""
    if walk.game.start().has_luck:
        does_move = any(node.position.to_move == CHANCE for node in walk.nodes)
        require(
            does_move, "chance_moves() is written, but to_move is never CHANCE: return it there"
        )
    for node in walk.nodes:
        if node.position.to_move != CHANCE or not node.position.legal_moves():
            continue
        chances = node.position.chance_moves()
        moves, legal = tuple(move for move, _ in chances), node.position.legal_moves()
        same = f"chance_moves() has the moves {moves}, and legal_moves() {legal}: return the same"
        require(moves == legal, same, node)
        exact = all(type(share) is Fraction and share > 0 for _, share in chances)
        require(exact, "a probability is no Fraction above 0: leave out what cannot be", node)
        total = sum(share for _, share in chances)
        require(total == 1, f"the probabilities add up to {total}, not to 1", node)


def payoffs(walk: PositionWalk) -> None:
    """Require that payoffs are in the range, add up as declared and agree with the outcome."""
    declared = walk.game.payoffs
    for node in walk.nodes:
        paid, outcome = node.position.payoffs(), node.position.outcome()
        ends = f"payoffs() is {paid}, but outcome() is {outcome}: both are None until the end"
        require((paid is None) is (outcome is None), ends, node)
        if paid is None:
            continue
        plain = type(paid) is tuple and all(type(share) is Fraction for share in paid)
        fractions = f"return a tuple with a Fraction for each of {walk.game.seats} seats"
        whole = plain and len(paid) == walk.game.seats
        require(whole, f"payoffs() is {paid}: {fractions}", node)
        inside = all(declared.least <= share <= declared.most for share in paid)
        bounds = f"payoffs() is {paid}, not from {declared.least} to {declared.most}"
        require(inside, f"{bounds}, as game.payoffs says", node)
        total = declared.total is None or sum(paid) == declared.total
        require(total, f"payoffs() adds up to {sum(paid)}, not to {declared.total}", node)
        agrees = outcome_of(paid) is outcome
        require(agrees, f"outcome() is {outcome}, but payoffs() is {paid}", node)


def observations(walk: PositionWalk) -> None:
    """Require that parse_observation() reads the text of what each seat knows, and a picture."""
    drawn = set[str]()
    missing = "observation() is not written, so every seat sees the position, which"
    missing += " parse_observation() does not read: write observation(seat)"
    require(not lacks_observation(walk.game, walk.nodes[0].position), missing)
    for node in walk.nodes:
        for seat in range(walk.game.seats):
            seen = node.position.observation(seat)
            problem = misfit(seen, seat)
            require(not problem, problem, node)
            if str(seen) not in drawn:
                drawn.add(str(seen))
                _require_pictures(node, seat)
            parsed = walk.game.parse_observation(str(seen))
            same = parsed == seen and hash(parsed) == hash(seen) and str(parsed) == str(seen)
            problem = f"parse_observation({str(seen)!r}) is not equal to what has this text"
            require(same, problem, node)
            has_same_moves = parsed.legal_moves() == seen.legal_moves()
            require(has_same_moves, f"parse_observation({str(seen)!r}) has other legal moves", node)
            _require_moves(node, seat)


def _require_moves(node: WalkPosition, seat: int) -> None:
    """Require that the seat to move sees the legal moves, and the others see none."""
    position, seen = node.position, node.position.observation(seat)
    if isinstance(seen, Position):
        return
    legal = position.legal_moves() if position.to_move == seat else ()
    moves = seen.legal_moves()
    problem = f"observation({seat}).legal_moves() is {moves}, and the seat may make {legal}"
    require(moves == legal, problem, node)
    for move in {n + step for n in node.position.legal_moves() for step in (0, 1)}:
        answer, call = seen.is_legal(move), f"observation({seat}).is_legal({move})"
        require(
            answer == (move in moves), f"{call} is {answer}, and legal_moves() is {moves}", node
        )


def _require_pictures(node: WalkPosition, seat: int) -> None:
    """Require that an observation can be drawn."""
    seen = node.position.observation(seat)
    for name, draw in (("picture", seen.picture), ("svg", seen.svg)):
        call = f"observation({seat}).{name}()"
        try:
            drawn = draw()
        except Exception as error:
            raise ContractBreach(f"{call} raises {describe(error)}", node.line) from error
        require(isinstance(drawn, str), f"{call} is of type {class_name(drawn)}", node)


def secrets(walk: PositionWalk, histories: int) -> Secrecy:
    """Return where a seat learns more than its observation says, or forgets something.

    Whether an observation may say so much is for the author to know.
    """
    rng = random.Random(f"{walk.seed}/{walk.game.name}/secrets")
    return find_leaks(walk.game, rng, histories)


def problems(walk: PositionWalk, secrecy: Secrecy) -> list[ContractBreach]:
    """Return each leak with the histories that show it."""
    breaches = []
    for leak in secrecy.leaks:
        lines = [leak.history] if leak.other is None else [leak.history, leak.other]
        histories = " and ".join(map(_shortened, lines))
        line = tuple(map(walk.game.parse_move, leak.history))
        breaches.append(
            ContractBreach(f"seat {leak.seat}: {leak.problem}: compare {histories}", line)
        )
    return breaches


def followed(secrecy: Secrecy) -> str:
    """Say how many histories were followed, and whether there are more."""
    number = f"{secrecy.histories:,} histories"
    if secrecy.is_complete:
        return f"all {number} were followed for leaks"
    return f"{number} were followed for leaks, half of them of random games: --histories N for more"


def example(walk: PositionWalk) -> str:
    """Say what each seat sees after one history: only the author knows what it should not."""
    going_on = [node for node in walk.nodes if node.position.outcome() is None]
    node = max(going_on, key=lambda node: len(node.line))
    seen = [str(node.position.observation(seat)) for seat in range(walk.game.seats)]
    views = (f"seat {seat} {_cut(_seen(seat, text))!r}" for seat, text in enumerate(seen))
    return f"after {_cut(str(node.position))!r} {', '.join(views)}: is that what each may know?"


def _seen(seat: int, text: str) -> str:
    """Return the text of an observation without the seat, with which that of a View begins."""
    return text.removeprefix(f"{seat}: ")


def _cut(text: str) -> str:
    """Return the end of a text."""
    return text if len(text) <= MAX_SEEN else f"...{text[-MAX_SEEN:]}"


def _shortened(history: tuple[str, ...]) -> str:
    """Return the last moves of a history, in brackets."""
    last = " ".join(history[-MAX_WORDS:])
    return f"({'... ' * (len(history) > MAX_WORDS)}{last or 'the start'})"
