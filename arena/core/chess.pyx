# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled twins of the rules of chess: legal moves, and what a move changes.

Men and positions stay the tuples that they are in Python. ``arena/games/chess/moves.py`` explains
the bitboards and the moves.
"""

from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_GET_ITEM, PyTuple_GET_SIZE, PyTuple_New, PyTuple_SET_ITEM
from libc.stdint cimport uint64_t

from arena.game import WIN_FOR, Outcome

from arena.core.words cimport (
    PyLong_AsUnsignedLongLong, PyLong_CheckExact, PyLong_FromUnsignedLongLong, leading, lowest,
    new_tuple, popcount,
)

PURE = {}

cdef object DRAW = Outcome.DRAW

cdef enum:
    PAWN = 0
    KNIGHT = 1
    BISHOP = 2
    ROOK = 3
    QUEEN = 4
    KING = 5
    #: Fields of men: two sides, six kinds, the rooks that may castle, and two numbers.
    FIELDS = 11
    #: No position has more legal moves: 218 are the most that are known.
    MAX_MOVES = 512
    FIFTY_MOVES = 100

cdef uint64_t EVERY = 0xFFFFFFFFFFFFFFFF
cdef uint64_t ENDS = 0xFF000000000000FF
cdef uint64_t LIGHT = 0x55AA55AA55AA55AA


cdef struct Men:
    uint64_t[2] sides
    uint64_t[6] kinds
    uint64_t castling
    int passant
    int side


#: Squares in the eight directions, those of growing squares first; leaps; lines between squares.
cdef uint64_t[8][64] RAYS
cdef uint64_t[64] KNIGHTS, KINGS
cdef uint64_t[2][64] PAWNS
cdef uint64_t[64][64] BETWEEN


cdef uint64_t _squares(int square, int right, int up, int most):
    cdef uint64_t squares = 0
    cdef int file = square & 7, rank = square >> 3, i
    for i in range(most):
        file += right
        rank += up
        if not (0 <= file < 8 and 0 <= rank < 8):
            break
        squares |= <uint64_t> 1 << (8 * rank + file)
    return squares


cdef _fill():
    cdef int square, other, way
    ways = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
    leaps = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
    for square in range(64):
        KNIGHTS[square] = KINGS[square] = 0
        for way in range(8):
            RAYS[way][square] = _squares(square, ways[way][0], ways[way][1], 7)
            KINGS[square] |= _squares(square, ways[way][0], ways[way][1], 1)
            KNIGHTS[square] |= _squares(square, leaps[way][0], leaps[way][1], 1)
        PAWNS[0][square] = _squares(square, 1, 1, 1) | _squares(square, -1, 1, 1)
        PAWNS[1][square] = _squares(square, 1, -1, 1) | _squares(square, -1, -1, 1)
    for square in range(64):
        for other in range(64):
            BETWEEN[square][other] = 0
            for way in range(8):
                if RAYS[way][square] >> other & 1:
                    BETWEEN[square][other] = RAYS[way][square] & ~RAYS[way][other]
                    BETWEEN[square][other] ^= <uint64_t> 1 << other


_fill()


cdef inline uint64_t _ray(int way, int square, uint64_t occupied) noexcept:
    """Return the squares that a slider attacks in one direction."""
    cdef uint64_t ray = RAYS[way][square], blockers = ray & occupied
    if blockers:
        # The first four directions lead to higher squares, but west and what lies below do not.
        if way <= 3:
            ray ^= RAYS[way][lowest(blockers)]
        else:
            ray ^= RAYS[way][63 - leading(blockers)]
    return ray


cdef inline uint64_t _straight(int square, uint64_t occupied) noexcept:
    return (
        _ray(0, square, occupied) | _ray(2, square, occupied)
        | _ray(4, square, occupied) | _ray(6, square, occupied)
    )


cdef inline uint64_t _diagonal(int square, uint64_t occupied) noexcept:
    return (
        _ray(1, square, occupied) | _ray(3, square, occupied)
        | _ray(5, square, occupied) | _ray(7, square, occupied)
    )


cdef uint64_t _attackers(Men* men, int square, uint64_t foes, uint64_t occupied) noexcept:
    """Return those of ``foes``, the side not to move, that attack a square."""
    return foes & (
        KNIGHTS[square] & men.kinds[KNIGHT]
        | KINGS[square] & men.kinds[KING]
        | PAWNS[men.side][square] & men.kinds[PAWN]
        | _straight(square, occupied) & (men.kinds[ROOK] | men.kinds[QUEEN])
        | _diagonal(square, occupied) & (men.kinds[BISHOP] | men.kinds[QUEEN])
    )


#: The class of men, and that of positions of chess.
cdef object _men = None, _position = None


def add_kind(kind):
    """Take a class for that of men, or of positions."""
    global _men, _position
    if not issubclass(kind, tuple):
        raise TypeError("men and positions are tuples")
    if kind.__name__ == "Men":
        _men = kind
    else:
        _position = kind


cdef bint _read(object given, Men* men) except -1:
    """Read men. Return False for what Python is left with: not two sides of men with kings."""
    cdef int i
    cdef object field
    cdef uint64_t word, friends
    if _men is None or type(given) is not _men or PyTuple_GET_SIZE(given) != FIELDS:
        return False
    for i in range(FIELDS):
        field = <object> PyTuple_GET_ITEM(given, i)
        if not PyLong_CheckExact(field):
            return False
        try:
            word = PyLong_AsUnsignedLongLong(field)
        except OverflowError:
            return False
        if i < 2:
            men.sides[i] = word
        elif i < 8:
            men.kinds[i - 2] = word
        elif i == 8:
            men.castling = word
        elif i == 9:
            if word > 63:
                return False
            men.passant = word
        else:
            if word > 1:
                return False
            men.side = word
    friends = men.sides[men.side]
    return men.kinds[KING] & friends != 0 and popcount(men.kinds[KING] & friends) == 1


cdef object _made(Men* men):
    """Return men as the tuple that they are in Python."""
    cdef object made = new_tuple(_men, FIELDS), field
    cdef int i
    for i in range(FIELDS):
        if i < 2:
            field = PyLong_FromUnsignedLongLong(men.sides[i])
        elif i < 8:
            field = PyLong_FromUnsignedLongLong(men.kinds[i - 2])
        elif i == 8:
            field = PyLong_FromUnsignedLongLong(men.castling)
        else:
            field = men.passant if i == 9 else men.side
        Py_INCREF(field)
        PyTuple_SET_ITEM(made, i, field)
    return made


cdef int _add(int* moves, int n, int base, uint64_t squares) noexcept:
    while squares and n < MAX_MOVES:
        moves[n] = base | lowest(squares)
        n += 1
        squares &= squares - 1
    return n


cdef int _passant_moves(Men* men, int* moves, int n) noexcept:
    """Add the legal captures en passant."""
    cdef uint64_t friends = men.sides[men.side], foes = men.sides[1 - men.side]
    cdef int to = men.passant, king = lowest(men.kinds[KING] & friends), square
    cdef int behind = to + 8 if men.side else to - 8
    cdef uint64_t captured, occupied, pawns
    if not 0 <= behind < 64:
        return n
    captured = <uint64_t> 1 << behind
    pawns = PAWNS[1 - men.side][to] & friends & men.kinds[PAWN]
    while pawns and n < MAX_MOVES:
        square = lowest(pawns)
        pawns &= pawns - 1
        occupied = (friends | foes) ^ (captured | <uint64_t> 1 << square | <uint64_t> 1 << to)
        if not _attackers(men, king, foes ^ captured, occupied):
            moves[n] = square << 6 | to
            n += 1
    return n


cdef int _legal(Men* men, int* moves) noexcept:
    """Write the legal moves, in no order, and return their number."""
    cdef uint64_t friends = men.sides[men.side], foes = men.sides[1 - men.side]
    cdef uint64_t occupied = friends | foes, home = men.kinds[KING] & friends
    cdef uint64_t reach, checks, targets, snipers, line, shield, rest, pinned = 0, rooks
    cdef uint64_t[64] pins
    cdef int king = lowest(home), n = 0, square, to, step, rook, ahead, piece
    cdef uint64_t doubles = <uint64_t> 0xFF << 48 if men.side else <uint64_t> 0xFF00
    reach = KINGS[king] & ~friends
    while reach:
        to = lowest(reach)
        reach &= reach - 1
        if not _attackers(men, to, foes, occupied ^ home):
            moves[n] = king << 6 | to
            n += 1
    checks = _attackers(men, king, foes, occupied)
    if checks & (checks - 1):
        return n
    targets = ~friends
    if checks:
        targets = checks | BETWEEN[king][lowest(checks)]
    else:
        rooks = men.castling & friends & ~foes
        while rooks:
            rook = lowest(rooks)
            rooks &= rooks - 1
            step = 1 if rook > king else -1
            if (
                0 <= king + 2 * step < 64
                and not BETWEEN[king][rook] & occupied
                and not _attackers(men, king + step, foes, occupied)
                and not _attackers(men, king + 2 * step, foes, occupied)
            ):
                moves[n] = king << 6 | king + 2 * step
                n += 1
    snipers = foes & (
        _straight(king, foes) & (men.kinds[ROOK] | men.kinds[QUEEN])
        | _diagonal(king, foes) & (men.kinds[BISHOP] | men.kinds[QUEEN])
    )
    while snipers:
        square = lowest(snipers)
        snipers &= snipers - 1
        line = BETWEEN[king][square]
        shield = line & friends
        if shield and not shield & (shield - 1):
            pinned |= shield
            pins[lowest(shield)] = line | <uint64_t> 1 << square
    rest = friends & ~home & ~men.kinds[PAWN]
    while rest:
        square = lowest(rest)
        rest &= rest - 1
        reach = 0
        if men.kinds[KNIGHT] >> square & 1:
            reach = KNIGHTS[square]
        else:
            if (men.kinds[ROOK] | men.kinds[QUEEN]) >> square & 1:
                reach = _straight(square, occupied)
            if (men.kinds[BISHOP] | men.kinds[QUEEN]) >> square & 1:
                reach |= _diagonal(square, occupied)
        reach &= targets
        if pinned >> square & 1:
            reach &= pins[square]
        n = _add(moves, n, square << 6, reach)
    rest = friends & men.kinds[PAWN]
    step = -8 if men.side else 8
    while rest:
        square = lowest(rest)
        rest &= rest - 1
        reach = PAWNS[men.side][square] & foes
        ahead = square + step
        if 0 <= ahead < 64 and not occupied >> ahead & 1:
            reach |= <uint64_t> 1 << ahead
            if doubles >> square & 1 and not occupied >> (ahead + step) & 1:
                reach |= <uint64_t> 1 << (ahead + step)
        reach &= targets
        if pinned >> square & 1:
            reach &= pins[square]
        if reach & ENDS:
            for piece in range(KNIGHT, KING):
                n = _add(moves, n, piece << 12 | square << 6, reach)
        else:
            n = _add(moves, n, square << 6, reach)
    if men.passant:
        n = _passant_moves(men, moves, n)
    return n


cdef tuple _sorted(int* moves, int n):
    """Return the moves, ascending."""
    cdef int i, j, move
    cdef tuple found = PyTuple_New(n)
    cdef object number
    for i in range(1, n):  # they are nearly in order
        move = moves[i]
        j = i
        while j and moves[j - 1] > move:
            moves[j] = moves[j - 1]
            j -= 1
        moves[j] = move
    for i in range(n):
        number = moves[i]
        Py_INCREF(number)
        PyTuple_SET_ITEM(found, i, number)
    return found


#: The men that were asked for last, and their legal moves: one position is asked several times.
cdef object _last_men = object()
cdef tuple _last_moves = ()


cdef tuple _moves_of(object given):
    """Return the legal moves of men."""
    global _last_men, _last_moves
    cdef Men men
    cdef int[MAX_MOVES + 8] moves
    cdef tuple found
    cdef int number
    if given is _last_men:
        return _last_moves
    if not _read(given, &men):
        return PURE["legal_moves"](given)
    number = _legal(&men, moves)
    if number >= MAX_MOVES:  # what no game comes to
        return PURE["legal_moves"](given)
    found = _sorted(moves, number)
    _last_moves = found
    _last_men = given
    return found


def legal_moves(men):
    return _moves_of(men)


cdef object _played(object given, int move):
    """Return the men after a legal move, None for what Python is left with."""
    cdef Men men, after
    cdef int start = move >> 6 & 63, end = move & 63, promotion = move >> 12, kind, moving = -1
    cdef int[8] passant
    cdef uint64_t origin = <uint64_t> 1 << start, target = <uint64_t> 1 << end
    cdef uint64_t change = origin | target, captured = target, rook, friends, foes
    if not 0 <= promotion < KING or not _read(given, &men):
        return None
    friends, foes = men.sides[men.side], men.sides[1 - men.side]
    if men.passant and men.kinds[PAWN] & origin and end == men.passant:
        captured = target << 8 if men.side else target >> 8
    after = men
    for kind in range(6):
        after.kinds[kind] = men.kinds[kind] & ~captured
        if moving < 0 and after.kinds[kind] & origin:
            moving = kind
    if moving < 0:
        return None
    after.kinds[moving] ^= change
    if promotion:
        after.kinds[PAWN] ^= target
        after.kinds[promotion] ^= target
    after.castling = men.castling & ~change
    if moving == KING:
        after.castling &= foes
        if end - start == 2 or start - end == 2:
            if end > start:
                rook = <uint64_t> 0b101 << (start + 1)
            elif start >= 4:
                rook = <uint64_t> 0b1001 << (start - 4)
            else:
                return None
            after.kinds[ROOK] ^= rook
            change |= rook
    after.sides[men.side], after.sides[1 - men.side] = friends ^ change, foes & ~captured
    after.passant, after.side = 0, 1 - men.side
    if moving == PAWN and (end - start == 16 or start - end == 16):
        after.passant = (start + end) // 2
        if not (
            popcount(after.kinds[KING] & after.sides[after.side]) == 1
            and _passant_moves(&after, passant, 0)
        ):
            after.passant = 0
    return _made(&after)


def played(men, move):
    after = _played(men, move) if PyLong_CheckExact(move) and 0 <= move < 5 << 12 else None
    return PURE["played"](men, move) if after is None else after


def checkers(given):
    cdef Men men
    cdef uint64_t friends, foes
    if not _read(given, &men):
        return PURE["checkers"](given)
    friends, foes = men.sides[men.side], men.sides[1 - men.side]
    return _attackers(&men, lowest(men.kinds[KING] & friends), foes, friends | foes)


# Positions: (men, clock, ply, past).

cdef inline bint _is_plain(object position) noexcept:
    """Return whether it is a position of chess whose men have their class."""
    return (
        type(position) is _position and _position is not None and PyTuple_GET_SIZE(position) == 4
        and type(<object> PyTuple_GET_ITEM(position, 0)) is _men
        and PyTuple_GET_SIZE(<object> PyTuple_GET_ITEM(position, 0)) == FIELDS
        and PyLong_CheckExact(<object> PyTuple_GET_ITEM(position, 1))
        and type(<object> PyTuple_GET_ITEM(position, 3)) is tuple
    )


cdef bint _is_drawn(object position) except -1:
    """Return whether a rule draws the game while there are legal moves."""
    cdef object men = <object> PyTuple_GET_ITEM(position, 0)
    cdef tuple past = <tuple> PyTuple_GET_ITEM(position, 3)
    if <object> PyTuple_GET_ITEM(position, 1) >= FIFTY_MOVES:
        return True
    if len(past) >= 2 and past.count(men) >= 2:
        return True
    return _is_insufficient(men)


cdef bint _is_insufficient(object given) except -1:
    """Return whether no sequence of moves can end in mate, as far as the men alone tell."""
    cdef Men men
    cdef uint64_t light
    if not _read(given, &men):
        return PURE["is_insufficient"](given)
    if men.kinds[PAWN] or men.kinds[ROOK] or men.kinds[QUEEN]:
        return False
    if popcount(men.kinds[KNIGHT] | men.kinds[BISHOP]) < 2:
        return True
    light = men.kinds[BISHOP] & LIGHT
    return not men.kinds[KNIGHT] and (not light or light == men.kinds[BISHOP])


def is_insufficient(men):
    return _is_insufficient(men)


def position_moves(self):
    if not _is_plain(self):
        return PURE["position_moves"](self)
    return () if _is_drawn(self) else _moves_of(<object> PyTuple_GET_ITEM(self, 0))


def position_outcome(self):
    cdef object men
    if not _is_plain(self):
        return PURE["position_outcome"](self)
    men = <object> PyTuple_GET_ITEM(self, 0)
    if not _moves_of(men):
        return WIN_FOR[1 - men.side] if checkers(men) else DRAW
    return DRAW if _is_drawn(self) else None


def position_play(self, move):
    cdef object men, after, made, clock, ply, past
    cdef int number
    if not _is_plain(self) or not PyLong_CheckExact(move):
        return PURE["position_play"](self, move)
    men = <object> PyTuple_GET_ITEM(self, 0)
    if move not in _moves_of(men) or _is_drawn(self):
        return PURE["position_play"](self, move)
    number = move
    after = _played(men, number)
    if after is None:
        return PURE["position_play"](self, move)
    clock, ply = <object> PyTuple_GET_ITEM(self, 1), <object> PyTuple_GET_ITEM(self, 2)
    past = <object> PyTuple_GET_ITEM(self, 3)
    if men.pawns >> (number >> 6 & 63) & 1 or men[1 - men.side] >> (number & 63) & 1:
        clock, past = 0, ()
    elif after.castling != men.castling or men.passant:
        clock, past = clock + 1, ()
    else:
        clock, past = clock + 1, (*past, men)
    ply = ply + 1
    made = new_tuple(_position, 4)
    Py_INCREF(after)
    PyTuple_SET_ITEM(made, 0, after)
    Py_INCREF(clock)
    PyTuple_SET_ITEM(made, 1, clock)
    Py_INCREF(ply)
    PyTuple_SET_ITEM(made, 2, ply)
    Py_INCREF(past)
    PyTuple_SET_ITEM(made, 3, past)
    return made


cdef int[6] WORTH
WORTH[0], WORTH[1], WORTH[2], WORTH[3], WORTH[4], WORTH[5] = 100, 300, 300, 500, 900, 0


def estimate(self):
    cdef Men men
    cdef int kind, worth = 0
    if not _is_plain(self) or not _read(<object> PyTuple_GET_ITEM(self, 0), &men):
        return PURE["estimate"](self)
    for kind in range(6):
        worth += WORTH[kind] * (
            popcount(men.kinds[kind] & men.sides[0]) - popcount(men.kinds[kind] & men.sides[1])
        )
    return worth
