# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False
"""The compiled twins of the alpha-beta search: one for games in which a line decides, one for all.

They look at the same positions in the same order as ``arena/games/search.py`` does, which explains
it: with the same budget they find the same moves.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from arena.game import Position, Side

from arena.core.lines cimport DRAW, GOES_ON, Board, Rules, rules_at
from arena.core.words cimport PyErr_CheckSignals, PyLong_CheckExact, lowest, popcount

cdef extern from "Python.h":
    int Py_EnterRecursiveCall(const char*) except -1
    void Py_LeaveRecursiveCall()

cdef tuple SIDES = tuple(Side)

cdef enum:
    #: Positions of words, and of objects, between two looks for Ctrl-C.
    PAUSE = 1024
    LONG_PAUSE = 64
    #: Moves are numbers below this, and in a game of lines below that.
    MOVES = 65536
    SQUARES = 64
    #: A longer game is left to Python.
    MAX_PLIES = 1 << 30
    #: Plies for which the stack certainly suffices.
    MAX_NESTED = 3000
    #: So is a deeper look.
    MAX_DEPTH = 1 << 20


cdef struct Entry:
    uint64_t first
    uint64_t second
    #: The depth and one, 0 for an empty place.
    int32_t depth
    #: Bounds of the value, or the best move.
    int32_t low
    int32_t high


cdef class Table:
    """Entries by a board and a depth, in one array with places left free."""

    cdef Entry* entries
    cdef uint64_t mask, used

    def __cinit__(self):
        self.mask = (1 << 10) - 1
        self.entries = <Entry*> calloc(self.mask + 1, sizeof(Entry))
        if self.entries == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.entries)

    cdef Entry* place(self, Board board, int32_t depth) noexcept:
        """Return the entry of a board at a depth, or the free place for it."""
        cdef uint64_t hashed = board.first * <uint64_t> 0x9E3779B97F4A7C15
        hashed = (hashed ^ board.second ^ hashed >> 29) * <uint64_t> 0xBF58476D1CE4E5B9
        hashed = (hashed ^ <uint64_t> depth ^ hashed >> 32) * <uint64_t> 0x94D049BB133111EB
        cdef uint64_t at = hashed >> 20 & self.mask
        cdef Entry* entry = &self.entries[at]
        while entry.depth and not (
            entry.first == board.first and entry.second == board.second
            and entry.depth == depth + 1
        ):
            at = at + 1 & self.mask
            entry = &self.entries[at]
        return entry

    cdef int put(self, Board board, int32_t depth, int32_t low, int32_t high) except -1:
        cdef Entry* entry = self.place(board, depth)
        if not entry.depth:
            if self.used * 2 > self.mask:
                self._grow()
                entry = self.place(board, depth)
            self.used += 1
            entry.first, entry.second, entry.depth = board.first, board.second, depth + 1
        entry.low, entry.high = low, high
        return 0

    cdef int _grow(self) except -1:
        cdef Entry* before = self.entries
        cdef uint64_t size = self.mask + 1, i
        cdef Entry* entries = <Entry*> calloc(4 * size, sizeof(Entry))
        cdef Board board
        if entries == NULL:
            raise MemoryError
        self.entries, self.mask = entries, 4 * size - 1
        for i in range(size):
            if before[i].depth:
                board.first, board.second = before[i].first, before[i].second
                self.place(board, before[i].depth - 1)[0] = before[i]
        free(before)
        return 0


class Spent(Exception):
    """The budget is spent."""


def is_of_lines(position):
    """Return whether a search of lines does for a position."""
    cdef Board board
    return rules_at(position, &board) is not None


cdef struct Bounds:
    #: The value of a position is no lower and no higher.
    long low
    long high


cdef inline bint _is_answer(Bounds bounds, long alpha, long beta, long* value) noexcept:
    """Return whether bounds answer for a window, and note what they answer."""
    if bounds.low >= beta or bounds.low == bounds.high:
        value[0] = bounds.low
        return True
    value[0] = bounds.high
    return bounds.high <= alpha


cdef class AlphaBeta:
    """What both searches do alike: their budget, and what they remember."""

    #: Bounds by board and depth; the best move when a search last looked at a board.
    cdef Table table, best
    #: How often, and how deep, a move was good enough.
    cdef int64_t* cutoffs
    cdef readonly int64_t left
    cdef bint decay
    #: Positions from one look for Ctrl-C to the next, and until the next.
    cdef int every, pause

    Spent = Spent

    def __cinit__(self, left, decay):
        self.table, self.best = Table(), Table()
        self.left, self.decay, self.every, self.pause = left, decay, PAUSE, PAUSE

    def __dealloc__(self):
        free(self.cutoffs)

    cdef int count_cutoffs(self, int moves) except -1:
        """Begin to count cutoffs of moves below this number."""
        self.cutoffs = <int64_t*> calloc(moves, sizeof(int64_t))
        if self.cutoffs == NULL:
            raise MemoryError
        return 0

    cdef int spend(self) except -1:
        """Count a position. Raises Spent."""
        if not self.left:
            raise Spent
        self.left -= 1
        self.pause -= 1
        if not self.pause:
            self.pause = self.every
            PyErr_CheckSignals()
        return 0

    cdef long worth(self, long remaining) noexcept:
        """Return the worth of a win that is reached with so many plies left."""
        return remaining + 1 if self.decay else 1

    cdef Bounds by_rules(self, long remaining, long depth, long mine, long theirs) noexcept:
        """Return bounds: no side wins before its number of plies, nor beyond the horizon."""
        cdef Bounds bounds
        bounds.high = self.worth(remaining - mine) if mine <= depth else 0
        bounds.low = -self.worth(remaining - theirs) if theirs <= depth else 0
        return bounds

    cdef Bounds looked_up(self, Board key, long depth, Bounds bounds) noexcept:
        """Return the bounds of an earlier look, these if there was none."""
        cdef Entry* entry = self.table.place(key, depth)
        if entry.depth:
            bounds.low, bounds.high = entry.low, entry.high
        return bounds

    cdef int note(self, Board board, int move, long depth, bint is_cutoff) except -1:
        """Remember the best move so far, and whether it was good enough."""
        self.best.put(board, 0, move, 0)
        if is_cutoff:
            self.cutoffs[move] += depth * depth
        return 0

    cdef int keep(
        self, Board key, long depth, Bounds bounds, long best, long floor, long beta
    ) except -1:
        """Remember what the best value says of a position."""
        if best >= beta:
            bounds.low = max(bounds.low, best)
        elif best <= floor:
            bounds.high = min(bounds.high, best)
        else:
            bounds.low = bounds.high = best
        return self.table.put(key, depth, bounds.low, bounds.high)

    cdef int arrange(self, Board board, int* moves, int n) noexcept:
        """Put the moves of a board first that are likely to be best, and return their number.

        There is room for one more: the best move of an earlier look.
        """
        cdef int i, j, move
        cdef Entry* entry = self.best.place(board, 0)
        for i in range(1, n):  # stable, those with the most cutoffs first
            move = moves[i]
            j = i
            while j and self.cutoffs[moves[j - 1]] < self.cutoffs[move]:
                moves[j] = moves[j - 1]
                j -= 1
            moves[j] = move
        if entry.depth:
            move = entry.low
            j = 0
            while j < n and moves[j] != move:
                j += 1
            if j == n:
                n += 1
            while j:
                moves[j] = moves[j - 1]
                j -= 1
            moves[0] = move
        return n


cdef class LineSearch(AlphaBeta):
    """A search of one game of lines."""

    cdef Rules rules

    def __cinit__(self, left, decay):
        self.count_cutoffs(SQUARES)

    def best_moves(self, position, depth):
        """Return the best value and all moves that have it, ascending; None for another game.

        Raises Spent.
        """
        cdef Board board
        cdef Rules rules = rules_at(position, &board)
        cdef int[129] moves
        cdef int n, i, move
        cdef long value, ceiling, best
        if rules is None or self.rules is not None and self.rules is not rules:
            return None
        if rules.ending(board) != GOES_ON or not 0 < depth < MAX_DEPTH:
            return None
        self.rules = rules
        ceiling = rules.squares + 2
        best, found = -ceiling, []
        n = self.with_legal(board, moves, self.in_order(board, moves))
        for i in range(n):
            move = moves[i]
            value = -self.value(rules.played(board, move), depth - 1, -ceiling, -(best - 1))
            if value > best:
                best, found = value, [move]
                self.note(board, move, depth, False)
            elif value == best:
                found.append(move)
        return best, tuple(sorted(found))

    cdef int with_legal(self, Board board, int* moves, int n) noexcept:
        """Add the legal moves that are not there yet, ascending."""
        cdef Rules rules = self.rules
        cdef uint64_t seen = 0, legal
        cdef int i
        for i in range(n):
            seen |= <uint64_t> 1 << moves[i]
        legal = rules.moves_of(rules.landings(board.first | board.second)) & ~seen
        while legal:
            moves[n] = lowest(legal)
            n += 1
            legal &= legal - 1
        return n

    cdef int in_order(self, Board board, int* moves) noexcept:
        """Write the moves worth a look, the likely ones first, and return their number."""
        return self.arrange(board, moves, self.rules.search_moves(board, moves))

    cdef long value(self, Board board, long depth, long alpha, long beta) except? -30000:
        """Negamax, fail-soft."""
        cdef Rules rules = self.rules
        cdef int ply = popcount(board.first | board.second), me = ply & 1, n, i
        cdef int ending = rules.ending(board)
        cdef long remaining = rules.squares - ply, best, floor, value
        cdef int[65] moves
        cdef Board key
        cdef Bounds bounds
        if ending != GOES_ON:
            if ending == DRAW:
                return 0
            return self.worth(remaining) if ending == me else -self.worth(remaining)
        if not depth:
            return 0
        self.spend()
        bounds = self.by_rules(
            remaining,
            depth,
            rules.plies_to_win(board, me ^ rules.misere),
            rules.plies_to_win(board, 1 - me ^ rules.misere),
        )
        if _is_answer(bounds, alpha, beta, &value):
            return value
        key = rules.least_image(board) if depth > 2 else board
        bounds = self.looked_up(key, depth, bounds)
        if _is_answer(bounds, alpha, beta, &value):
            return value
        best, floor = -remaining - 2, max(alpha, bounds.low)
        n = self.in_order(board, moves)
        for i in range(n):
            value = -self.value(
                rules.played(board, moves[i]), depth - 1, -beta, -max(floor, best)
            )
            if value > best:
                best = value
                self.note(board, moves[i], depth, best >= min(beta, bounds.high))
                if best >= min(beta, bounds.high):
                    break
        self.keep(key, depth, bounds, best, floor, beta)
        return best


cdef class GeneralSearch(AlphaBeta):
    """A search of any game: what a position is asked is asked in Python, and all else is here."""

    #: Numbers that stand for positions.
    cdef dict numbers
    #: The class of the positions, and which of its methods are the default ones.
    cdef object kind
    cdef bint wins_at_any_ply, is_canonical, searches_all, takes_turns
    cdef long max_plies
    cdef int nested

    def __cinit__(self, left, decay):
        self.numbers = {}
        self.count_cutoffs(MOVES)
        self.every = self.pause = LONG_PAUSE

    cdef int know(self, object position) except -1:
        """Note which methods of the class are the default ones."""
        cdef object kind = type(position)
        if kind is not self.kind:
            self.kind = kind
            self.wins_at_any_ply = (
                kind.plies_to_win is Position.plies_to_win and kind.can_win is Position.can_win
            )
            self.is_canonical = kind.canonical is Position.canonical
            self.searches_all = kind.search_moves is Position.search_moves
            self.takes_turns = kind.to_move is Position.to_move
        return 0

    cdef object to_move(self, object position):
        """Return the side to move."""
        self.know(position)
        return SIDES[position.ply & 1] if self.takes_turns else position.to_move

    cdef Board number_of(self, object position):
        """Return a board that stands for a position."""
        cdef Board board
        cdef object number = self.numbers.get(position)
        if number is None:
            number = len(self.numbers)
            self.numbers[position] = number
        board.first, board.second = number, 0
        return board

    def best_moves(self, position, depth):
        """Return the best value and all moves that have it, ascending; None for another game.

        Raises Spent.
        """
        cdef long ceiling, best, value
        cdef Board board
        cdef object move, me
        self.max_plies = position.game.max_plies
        if not 0 <= self.max_plies < MAX_PLIES or not 0 < depth < MAX_DEPTH:
            return None
        ceiling = self.max_plies + 2
        best, found = -ceiling, []
        me = self.to_move(position)
        board = self.number_of(position)
        for move in dict.fromkeys((*self.in_order(position, board), *position.legal_moves())):
            value = self.after(me, position.play(move), depth - 1, best - 1, ceiling)
            if value > best:
                best, found = value, [move]
                self.note(board, _checked(move), depth, False)
            elif value == best:
                found.append(move)
        return best, tuple(sorted(found))

    cdef long after(self, object me, object after, long depth, long alpha, long beta) except? -1:
        cdef object mover = self.to_move(after)
        if mover is me or mover == me:
            return self.value(after, mover, depth, alpha, beta)
        return -self.value(after, mover, depth, -beta, -alpha)

    cdef list in_order(self, object position, Board board):
        """Return the moves worth a look, those first that are likely to be best."""
        cdef list found = list(
            position.legal_moves() if self.searches_all else position.search_moves()
        )
        cdef int n = len(found), i
        cdef int* moves = <int*> malloc((n + 1) * sizeof(int))
        if moves == NULL:
            raise MemoryError
        try:
            for i in range(n):
                moves[i] = _checked(found[i])
            n = self.arrange(board, moves, n)
            return [moves[i] for i in range(n)]
        finally:
            free(moves)

    cdef long value(
        self, object position, object me, long depth, long alpha, long beta
    ) except? -1:
        """Negamax, fail-soft."""
        cdef long remaining, best, floor, value
        cdef object outcome = position.outcome(), winner, move
        cdef Board board, key
        cdef Bounds bounds
        if outcome is None and not depth:
            return 0
        remaining = self.max_plies - <long> position.ply
        if outcome is not None:
            winner = outcome.winner
            if winner is None:
                return 0
            return self.worth(remaining) if winner == me else -self.worth(remaining)
        self.spend()
        if self.wins_at_any_ply:
            bounds = self.by_rules(remaining, depth, 1, 1)
        else:
            bounds = self.by_rules(
                remaining, depth, position.plies_to_win(me), position.plies_to_win(me.other)
            )
        if _is_answer(bounds, alpha, beta, &value):
            return value
        board = key = self.number_of(position)
        if depth > 2 and not self.is_canonical:
            key = self.number_of(position.canonical())
        bounds = self.looked_up(key, depth, bounds)
        if _is_answer(bounds, alpha, beta, &value):
            return value
        best, floor = -remaining - 2, max(alpha, bounds.low)
        Py_EnterRecursiveCall(" in a search")
        self.nested += 1
        try:
            if self.nested > MAX_NESTED:
                raise RecursionError("so deep that Python has to search")
            for move in self.in_order(position, board):
                value = self.after(me, position.play(move), depth - 1, max(floor, best), beta)
                if value > best:
                    best = value
                    self.note(board, move, depth, best >= min(beta, bounds.high))
                    if best >= min(beta, bounds.high):
                        break
        finally:
            self.nested -= 1
            Py_LeaveRecursiveCall()
        self.keep(key, depth, bounds, best, floor, beta)
        return best


cdef int _checked(object move) except -1:
    """Return a move that is a number. Raises ValueError, after which Python searches."""
    if not PyLong_CheckExact(move) or not 0 <= move < MOVES:
        raise ValueError("a move is not an int from 0 to 65535")
    return move
