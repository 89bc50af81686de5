# cython: language_level=3, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled twins of the loop that plays pairs of games by calls of functions in this process."""

from fractions import Fraction

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_GET_ITEM, PyTuple_GET_SIZE, PyTuple_SET_ITEM
from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from arena import match
from arena.core.lines cimport DRAW, ENDS, Board, Rules, position_at, rules_at
from arena.core.stream cimport begin_streams
from arena.core.stream import drawn_below
from arena.core.words cimport PyLong_AsLongAndOverflow, PyLong_CheckExact, new_tuple
from arena.errors import IllegalMove, VoidGame, as_move
from arena.game import CHANCE, Outcome, Side
from arena.games.contract import endless, payoffs_of, refused, retrace
from arena.match.record import GameRecord, PlayedPair, forfeit_by, with_prints
from arena.match.seats import fault
from arena.player.faults import name_of, returned

#: Functions in Python, by the names of their twins.
PURE = {}

cdef tuple SIDES = tuple(Side)
cdef int CHANCE_SIDE = CHANCE
#: The fields of most records but for the moves and the outcome.
cdef tuple REST = (None, *(GameRecord._field_defaults[name] for name in GameRecord._fields[3:]))
cdef tuple PAIR_REST = ("", None, "")
cdef Py_ssize_t PAYOFFS = GameRecord._fields.index("payoffs") - 2


cdef inline object _at(object record, Py_ssize_t place):
    """Return a field of a named tuple that has it."""
    return <object> PyTuple_GET_ITEM(record, place)


cdef object _filled(object kind, tuple first, tuple rest):
    """Return a named tuple of these fields, without its own ``__new__``."""
    cdef Py_ssize_t i, n = len(first), m = len(rest)
    cdef object made = new_tuple(kind, n + m), item
    for i in range(n):
        item = first[i]
        Py_INCREF(item)
        PyTuple_SET_ITEM(made, i, item)
    for i in range(m):
        item = rest[i]
        Py_INCREF(item)
        PyTuple_SET_ITEM(made, n + i, item)
    return made


cdef class Loop:
    """Plays games of two functions from the start of a game."""

    cdef object game, start, prints
    #: The module with the loop in Python of games with luck, secrets or payoffs, None for another game.
    cdef object unseen
    #: The moves of the game that is played.
    cdef list moves
    #: The record of that game if a function has failed, else None.
    cdef object forfeited
    cdef Rules rules
    cdef Board board
    cdef long limit
    cdef bint alternates, is_paid

    def __init__(self, game, prints):
        self.game, self.moves = game, []
        self.start, self.prints, self.limit = game.start(), prints, game.max_plies
        self.unseen, self.is_paid = None, game.is_paid
        if game.features:
            from arena.match import unseen  # few games have any

            self.unseen = unseen
        self.rules = rules_at(self.start, &self.board)
        self.alternates = self.start.alternates

    cdef object answer(self, object function, object shown, object stream, int side):
        """Return what the function of a side answers. Leave a record in ``forfeited`` if it fails."""
        try:
            return function(shown, stream)
        except BaseException as error:
            self.forfeited = fault(self.moves, SIDES[side], error, False)
        finally:
            if self.prints.is_due:
                self.prints.take(SIDES[side], len(self.moves))

    cdef object play(self, tuple functions, tuple streams):
        """Play one game. The functions are those of the first and of the second side."""
        cdef Rules rules = self.rules
        cdef Board board = self.board
        cdef object position = self.start, move, outcome
        cdef list moves = []
        cdef long ply, number
        cdef int side = 0, overflow = 0
        cdef uint64_t bit
        self.moves, self.forfeited = moves, None
        if not self.alternates or rules is None:
            side = position.to_move
        for ply in range(self.limit):
            move = self.answer(functions[side], position, streams[side], side)
            if self.forfeited is not None:
                return self.forfeited
            bit = 0
            if rules is not None and PyLong_CheckExact(move):
                number = PyLong_AsLongAndOverflow(move, &overflow)
                if not overflow and 0 <= number < rules.moves:
                    bit = rules.bit_of(board.first | board.second, number)
            if bit:
                if side:
                    board.second |= bit
                else:
                    board.first |= bit
                moves.append(move)
                position = position_at(rules, board)
                if rules.has_line(board.second if side else board.first):
                    return _filled(GameRecord, (tuple(moves), ENDS[side ^ rules.misere]), REST)
                if board.first | board.second == rules.full:
                    return _filled(GameRecord, (tuple(moves), ENDS[DRAW]), REST)
                side ^= 1
                continue
            try:
                if type(move) is not int:
                    move = as_move(move)
                position = position.play(move)
            except IllegalMove:
                refused(position, move)
                explained = returned(move, position, name_of(functions[side]), functions[side])
                return forfeit_by(moves, SIDES[side], "illegal", *explained)
            moves.append(move)
            outcome = position.outcome()
            if outcome is not None:
                return _filled(GameRecord, (tuple(moves), outcome), REST)
            if rules is not None:
                rules_at(position, &board)
            side = side ^ 1 if self.alternates else position.to_move
        raise endless(position.game, position)

    cdef object play_unseen(self, tuple functions, tuple streams, object block):
        """Play one game with luck, secrets or payoffs, as ``arena.match.unseen`` does."""
        cdef object position = self.start, observation, answer, move, outcome
        cdef list moves = []
        cdef long ply, events = 0
        cdef int side
        self.moves, self.forfeited = moves, None
        for ply in range(self.limit):
            side = position.to_move
            if side == CHANCE_SIDE:
                move = self.unseen.chance_move(position.chance_moves(), block, events)
                events += 1
                position = position.play(move)
            else:
                observation = position.observation(SIDES[side])
                answer = self.answer(functions[side], observation, streams[side], side)
                if self.forfeited is not None:
                    return self.forfeited
                try:
                    move = answer if type(answer) is int else as_move(answer)
                    if not observation.is_legal(move):
                        raise IllegalMove(f"{move} is not legal")
                except IllegalMove:
                    explained = returned(answer, observation, name_of(functions[side]))
                    return forfeit_by(moves, SIDES[side], "illegal", *explained)
                position = self.unseen.played(position, move)
            moves.append(move)
            outcome = position.outcome()
            if outcome is not None:
                if not self.is_paid:
                    return _filled(GameRecord, (tuple(moves), outcome), REST)
                rest = (*REST[:PAYOFFS], payoffs_of(position), *REST[PAYOFFS + 1 :])
                return _filled(GameRecord, (tuple(moves), outcome), rest)
        raise endless(position.game, position)


#: The last share of each of so many moves of chance that was one of them.
cdef dict EVEN = {}


def chance_move(moves, block, event):
    cdef object pair, share = None
    cdef tuple all_moves
    cdef Py_ssize_t n
    if type(moves) is tuple:
        all_moves = moves
        n = len(all_moves)
        for pair in all_moves:
            if type(pair) is not tuple or PyTuple_GET_SIZE(pair) != 2:
                break
            if share is None:
                share = _at(pair, 1)
                if EVEN.get(n, EVEN) is share:
                    continue
                if type(share) is not Fraction or share.numerator != 1 or share.denominator != n:
                    break
                EVEN[n] = share
            elif _at(pair, 1) is not share:
                break
        else:
            if n:
                return all_moves[drawn_below(f"{block}/luck/{event}", n)][0]
    return PURE["chance_move"](moves, block, event)


def play_pairs(game, functions, memory, path, streams, prints, now, pairs):
    """Play these pairs of two functions, up to one that the machine or a player makes void.

    Return them, and how that one became void at its first try, None if none did: the error, and
    whether the second game was played.
    """
    cdef Loop loop = Loop(game, prints)
    cdef list played = []
    cdef tuple both = functions, exchanged = functions[::-1]
    cdef tuple own = streams, others = streams[::-1]
    cdef object names, pair, one, other, began, between, ended, block
    # With independent deals each game has luck of its own.
    cdef bint is_alone = loop.unseen is not None and loop.unseen.block_of(f"{path}/1.1").endswith(".1")
    began = now()
    for pair in pairs:
        block, one = f"{path}/{pair}", None
        names = f"{block}."
        try:
            begin_streams(own[0], own[1], names + "1")
            one = _played(loop, both, own, names + "1" if is_alone else block)
            between = now()
            begin_streams(others[0], others[1], names + "2")
            other = _played(loop, exchanged, others, names + "2" if is_alone else block)
        except VoidGame as error:
            return played, (error, one is not None)
        ended = now()
        seconds = (between - began, ended - between)
        played.append(
            _filled(PlayedPair, (pair, (one, other), seconds), (*PAIR_REST, memory))
        )
        began = ended
    return played, None


cdef object _played(Loop loop, tuple functions, tuple streams, object block):
    cdef object prints = loop.prints, forks = match._forks
    if prints.is_used:
        prints.begin()
    try:
        if loop.unseen is not None:
            record = loop.play_unseen(functions, streams, block)
        else:
            record = loop.play(functions, streams)
    except Exception as error:
        match.accuse_game(loop.game, None, loop.moves, error)
        raise
    if loop.rules is None and (record.forfeit is not None or type(record.outcome) is not Outcome):
        retrace(loop.game, loop.start, loop.moves)
    if match._forks != forks:
        match.end_copy()
    return with_prints(record, prints) if prints.records else record


# Counting: what counts.py does with a game that simply ended, and was not even from an opening.

cdef tuple POINTS_OF = (2, 0, 1)
#: How a pair ended, by the points of both first players.
cdef dict KEYS = {
    (first, second): (first, 2 - second, False, False) for first in (0, 1, 2) for second in (0, 1, 2)
}


cdef int _points(object record) except -1:
    """Return the points of the first side of a game that simply ended, 3 for any other game."""
    cdef Py_ssize_t i, fields = len(REST)
    cdef int number
    if type(record) is not GameRecord or PyTuple_GET_SIZE(record) != fields + 2:
        return 3
    for i in range(fields):
        if _at(record, i + 2) is not REST[i] and i != PAYOFFS:
            return 3
    for number in range(3):
        if _at(record, 1) is ENDS[number]:
            return POINTS_OF[number]
    return 3


cdef bytes _game(tuple moves, char swapped):
    """Return a game as bytes: whether B moved first, and 16 bits for each move."""
    cdef Py_ssize_t i, n = len(moves)
    cdef bytes content = PyBytes_FromStringAndSize(NULL, 1 + 2 * n)
    cdef char* to = <char*> content
    cdef unsigned short move
    to[0] = swapped
    for i in range(n):
        move = moves[i]
        memcpy(to + 1 + 2 * i, &move, 2)
    return content


def add_all(self, pairs, dict alike not None, dict first not None):
    """Count the games of pairs, as ``PairCounts.of_pairs`` does. Fill how many pairs are alike, and the
    first of openings.
    """
    from arena.fights.counts import OneGame, VoidPairs

    cdef set games = self.games
    cdef object add_games = self._add_games, a = self.a, b = self.b
    cdef double seconds = self.seconds, one_took, other_took
    cdef tuple both, times, remembers
    cdef int one, other
    cdef dict paid = {}
    for played in pairs:
        if type(played) is not PlayedPair or PyTuple_GET_SIZE(played) != 7:
            raise TypeError("not a pair")
        pair, both, times = _at(played, 0), _at(played, 1), _at(played, 2)
        void, withdrawn, opening = _at(played, 3), _at(played, 4), _at(played, 5)
        remembers = _at(played, 6)
        one_took, other_took = times
        # Rounded at the same places as in Python.
        seconds = seconds + (one_took + other_took)
        if withdrawn is not None:
            player, problem = withdrawn
            self.players[player].withdraw(problem)
            continue
        if void:
            self.void_pairs.append(VoidPairs(pair, pair, void))
            continue
        one = other = 3
        if not opening and not remembers[0] and not remembers[1]:
            one, other = _points(both[0]), _points(both[1])
        if one == 3 or other == 3:
            end_key = add_games(played)
        else:
            games.add(_game(_at(both[0], 0), 0))
            games.add(_game(_at(both[1], 0), 1))
            if one == 2 or other == 0:
                if b.first_lost is None:
                    b.first_lost = OneGame(pair, one != 2)
            if one == 0 or other == 2:
                if a.first_lost is None:
                    a.first_lost = OneGame(pair, one != 0)
            end_key = KEYS[one, other]
            one_paid, other_paid = _at(both[0], PAYOFFS + 2), _at(both[1], PAYOFFS + 2)
            if one_paid is not None or other_paid is not None:
                # By what they are first: to hash a fraction takes as long as to play a move.
                key = id(one_paid), id(other_paid)
                _, number = paid.get(key, (None, 0))
                paid[key] = (one_paid, other_paid), number + 1
        key = (opening, end_key)
        alike[key] = alike.get(key, 0) + 1
        if opening and (opening not in first or pair < first[opening][0]):
            first[opening] = pair, end_key
    for ends, number in paid.values():
        self.paid[ends] += number
    self.seconds = seconds
