"""Find what the rules say against games that another machine says it has played.

Only playing them again shows whether the players moved so. But a game against the rules is wrong
whoever played it, and must not come into a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from arena.errors import ArenaError, describe
from arena.fights.alike import difference
from arena.fights.pairing import Pairing
from arena.fights.replays import NotedGame
from arena.fights.table_replays import NotedTable, problem_of_table
from arena.game import Outcome, Position
from arena.games.walk import walked
from arena.match.record import UNMEASURED, GameRecord, PlayedPair
from arena.sandbox.words import WASM


def other_pairs(start: int, stop: int, pairs: Sequence[PlayedPair]) -> str:
    """Return how these are not the pairs of a part, empty if they are."""
    if [pair.pair for pair in pairs] == [*range(start, stop)]:
        return ""
    return "it has other pairs than were asked for"


def objection(pairing: Pairing, pairs: Sequence[PlayedPair]) -> str:
    """Return what is wrong with pairs that a volunteer sent, empty if nothing is known to be."""
    for pair in pairs:
        if pair.void or pair.withdrawn is not None:
            continue
        if len(pair.records) != pairing.games_a_pair or len(pair.seconds) != len(pair.records):
            return f"pair {pair.pair} has {len(pair.records)} games"
        opening = pairing.opening(pair.pair)
        if pair.opening != ("" if opening is None else str(opening)):
            return f"pair {pair.pair} has another opening"
        for half, record in enumerate(pair.records):
            problem = _problem(pairing, pairing.begin(pair.pair), record)
            if problem := problem or _oddity(pairing, half, record):
                return f"{pairing.game_id(pair.pair, half)}: {problem}"
    return ""


def _oddity(pairing: Pairing, half: int, record: GameRecord) -> str:
    """Return what a game has that none of these players makes, empty if nothing."""
    if record.luck is not None or record.notes.referee is not None or record.notes.thoughts:
        return "it has words that nobody says here"
    if record.later and not pairing.others:
        return "it has more than one forfeit"
    if record.move_times == UNMEASURED:
        return ""
    players = [pairing.players[place] for place in pairing.seating(half)]
    if len(record.move_times) != len(players):
        return f"it has the fuel of {len(record.move_times)} seats"
    for player, times in zip(players, record.move_times, strict=True):
        most = dict(player.limits)["fuel"] if player.isolation == WASM else -1
        if not all(_is_within(fuel, most) for fuel in times) or len(times) > len(record.moves):
            return "the fuel of a move is none"
    return ""


def _is_within(fuel: object, most: int) -> bool:
    return type(fuel) is int and 0 <= fuel <= most


def _problem(pairing: Pairing, begin: Position, record: GameRecord) -> str:
    """Return the rules' objection to a game, empty without one."""
    game = pairing.game
    try:
        moves = [*map(game.format_move, record.moves)]
        if any(not 0 <= each.side < game.seats for each in record.forfeits):
            return "a seat forfeits that it has not"
        if pairing.others:
            if record.outcome is not Outcome.OVER:
                return f"it is {record.outcome.value!r}"
            table = NotedTable(moves, [*record.forfeits], record.payoffs, None)
            return problem_of_table(begin, table) or ""
        lost = record.forfeit
        noted = NotedGame(
            begin,
            moves,
            record.outcome.value,
            None if lost is None else int(lost.side),
            None if lost is None else lost.reason,
            record.notes.adjudicated,
            record.notes.thoughts,
        )
        if problem := noted.problem(pairing.adjudication):
            return problem
        paid = walked(begin, record.moves).payoffs() if game.is_paid and lost is None else None
    except ArenaError as error:
        return str(error)
    except Exception as error:  # what is no move of the game
        return describe(error)
    if record.payoffs != (None if paid is None else tuple(map(Fraction, paid))):
        return "it pays otherwise than by the rules"
    return ""


def is_plain(pairing: Pairing, pairs: Sequence[PlayedPair]) -> bool:
    """Return whether the words of games are the same on every machine.

    A message of a player in Python names files, a print may name anything, and a void game tells of
    the machine. What is not plain is played again here, whoever played it.
    """
    return all(
        not pair.void
        and pair.withdrawn is None
        and not any(pair.remembers)
        and not any(record.notes.printed or record.notes.completions for record in pair.records)
        and all(_is_of_module(pairing, half, record) for half, record in enumerate(pair.records))
        for pair in pairs
    )


def _is_of_module(pairing: Pairing, half: int, record: GameRecord) -> bool:
    """Return whether all forfeits of a game are those of modules."""
    seating = pairing.seating(half)
    return all(
        pairing.players[seating[int(forfeit.side)]].isolation == WASM for forfeit in record.forfeits
    )


def first_difference(
    pairing: Pairing, claimed: Sequence[PlayedPair], replayed: Sequence[PlayedPair]
) -> str:
    """Return where pairs differ from the same ones played here, empty if nowhere."""
    strict = is_plain(pairing, replayed)
    for one, other in zip(claimed, replayed, strict=True):
        if any(pair.void or pair.withdrawn is not None for pair in (one, other)):
            continue  # that tells of a machine
        for half, (old, new) in enumerate(zip(one.records, other.records, strict=True)):
            problem = difference(pairing, new, old)
            if not problem and strict and old != new:
                problem = "its words are others"
            if problem:
                return f"{pairing.game_id(one.pair, half)}: {problem}"
    return ""
