# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Compiled twins of what positions of m,n,k games and connect four are asked most often.

A position stays the tuple that it is in Python: ``(game, first, second)``. What it is asked is
answered on machine words. Where a board has more than 64 squares, or an argument is not what a game
passes, the function in Python answers.
"""

from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_GET_ITEM, PyTuple_GET_SIZE, PyTuple_New, PyTuple_SET_ITEM
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free, malloc

from arena.game import WIN_FOR, Outcome, Side

from arena.core.words cimport (
    PyLong_AsLongAndOverflow, PyLong_AsUnsignedLongLong, PyLong_Check, PyLong_CheckExact,
    PyLong_FromUnsignedLongLong, lowest, new_tuple, popcount,
)

cdef extern from "Python.h":
    bint PyTuple_Check(object)

#: The functions in Python, by the name of the twin.
PURE = {}

#: The ends of games, by their numbers here.
ENDS = (*WIN_FOR, Outcome.DRAW)
cdef tuple SIDES = tuple(Side)
#: The number of different words.
cdef object WORDS = 1 << 64

#: The most squares of a line that an estimate counts: ten for each, in 64 bits.
cdef enum:
    MAX_LINE = 14
    MAX_LINES = 4096
    MAX_SQUARES = 64

#: The squares of the boards of at most nine squares.
cdef list SMALL = [None] * 512


cdef class Rules:
    def __cinit__(self):
        self.line = NULL
        self.images = NULL

    def __dealloc__(self):
        free(self.line)
        free(self.images)

    cdef _take(self, game):
        """Take over the rules of a game, which fit."""
        cdef int i, j
        self.game, self.position = game, type(game.start())
        self.falls = game.look == "holes"
        self.misere = game.misere
        self.full, self.moves, self.k = game.full, game.moves, game.k
        self.squares = game.max_plies
        lines = game.lines
        self.line = <uint64_t*> malloc(max(1, len(lines)) * sizeof(uint64_t))
        if self.line == NULL:
            raise MemoryError
        self.lines = len(lines)
        for i in range(self.lines):
            self.line[i] = lines[i]
            self.longest = max(self.longest, popcount(self.line[i]))
        order = game.centre_first if self.falls else game.by_lines
        for i in range(self.moves):
            self.order[i] = order[i]
        if self.falls:
            self.bottom, self.stride = game.bottom, game.rows + 1
            for i in range(self.moves):
                self.column[i] = game.column[i]
            for i, shifts in enumerate(game._shifts):
                for j, shift in enumerate(shifts):
                    self.shifts[i][j] = shift

    cdef bint has_line(self, uint64_t bits) noexcept:
        """Return whether the board holds a line."""
        cdef int i, j
        cdef uint64_t starts
        if self.falls:
            for i in range(4):
                starts = bits
                j = 0
                while self.shifts[i][j]:
                    starts &= starts >> self.shifts[i][j]
                    j += 1
                if starts:
                    return True
            return False
        for i in range(self.lines):
            if bits & self.line[i] == self.line[i]:
                return True
        return False

    cdef uint64_t landings(self, uint64_t occupied) noexcept:
        """Return the squares on which a mark can go now, whatever the lines are."""
        return (occupied + self.bottom if self.falls else ~occupied) & self.full

    cdef uint64_t bit_of(self, uint64_t occupied, int move) noexcept:
        """Return the square of a move, or 0 if there is no room for it."""
        if not 0 <= move < self.moves:
            return 0
        if self.falls:
            return (occupied + self.bottom) & self.column[move]
        return (<uint64_t> 1 << move) & ~occupied

    cdef uint64_t moves_of(self, uint64_t squares) noexcept:
        """Return the moves, one bit each, that go to these squares."""
        cdef uint64_t moves = 0
        cdef int column
        if not self.falls:
            return squares
        for column in range(self.moves):
            if squares & self.column[column]:
                moves |= <uint64_t> 1 << column
        return moves

    cdef int race(self, uint64_t mine, uint64_t theirs, uint64_t* winning) noexcept:
        """Return how many squares the fullest open line lacks. Note those that complete one."""
        cdef int i, number, fewest = self.squares + 1
        cdef uint64_t missing, squares = 0
        for i in range(self.lines):
            if not self.line[i] & theirs:
                missing = self.line[i] & ~mine
                number = popcount(missing)
                if number < fewest:
                    fewest = number
                if number == 1:
                    squares |= missing
        winning[0] = squares
        return fewest

    cdef uint64_t winning(self, uint64_t mine, uint64_t theirs) noexcept:
        """Return the free squares of an m,n,k board that complete a line alone."""
        cdef uint64_t squares
        self.race(mine, theirs, &squares)
        return squares

    cdef uint64_t completing(self, uint64_t mine, uint64_t theirs) noexcept:
        """Return the squares, free or not, that complete a line of discs with these."""
        cdef uint64_t squares = 0, before, after
        cdef int i, j, step, below
        cdef uint64_t up, down, two_up, two_down
        for i in range(4):
            step = self.shifts[i][0] if self.k > 1 else 0
            if self.k == 4:
                up, down = mine << step, mine >> step
                two_up, two_down = up & up << step, down & down >> step
                squares |= two_up & (up << 2 * step | down) | two_down & (down >> 2 * step | up)
                continue
            for below in range(self.k):
                before = self.full
                for j in range(below):
                    before = (before & mine) << step
                after = self.full
                for j in range(self.k - 1 - below):
                    after = (after & mine) >> step
                squares |= before & after
        return squares & self.full

    cdef int ending(self, Board board) noexcept:
        """Return how the game stands."""
        cdef uint64_t occupied = board.first | board.second
        cdef int last = popcount(occupied) & 1 ^ 1
        if self.has_line(board.second if last else board.first):
            return last ^ self.misere
        return DRAW if occupied == self.full else GOES_ON

    cdef int plies_to_win(self, Board board, int side) noexcept:
        """Return a number of plies before which the side cannot complete a line."""
        cdef uint64_t mine = board.second if side else board.first
        cdef uint64_t theirs = board.first if side else board.second
        cdef uint64_t winning, landings
        cdef bint is_mover = side == popcount(mine | theirs) & 1
        if not self.falls:
            return 2 * self.race(mine, theirs, &winning) - is_mover
        landings = self.landings(mine | theirs)
        winning = self.completing(mine, theirs)
        if is_mover:
            return 1 if winning & landings else 3
        return 2 if winning & (landings | landings << 1 & self.full) else 4

    cdef Board played(self, Board board, int move) noexcept:
        """Return the board after a move for which there is room."""
        cdef uint64_t occupied = board.first | board.second
        if popcount(occupied) & 1:
            board.second |= self.bit_of(occupied, move)
        else:
            board.first |= self.bit_of(occupied, move)
        return board

    cdef uint64_t moves_to_line(self, uint64_t mine, uint64_t theirs) noexcept:
        """Return the moves, one bit each, with which these marks complete a line now."""
        if not self.falls:
            return self.winning(mine, theirs)
        return self.moves_of(self.landings(mine | theirs) & self.completing(mine, theirs))

    cdef int search_moves(self, Board board, int* moves) noexcept:
        """Write what ``search_moves()`` returns where the game goes on, and return the number."""
        cdef uint64_t mine = board.first, theirs = board.second, forced, legal
        cdef int n = 0, i
        if popcount(mine | theirs) & 1:
            mine, theirs = theirs, mine
        legal = self.moves_of(self.landings(mine | theirs))
        forced = self.moves_to_line(mine, theirs)
        if self.misere:
            forced = legal & ~forced
            while forced:
                moves[n] = lowest(forced)
                n += 1
                forced &= forced - 1
            if not n and legal:
                moves[0] = lowest(legal)
                n = 1
            return n
        if not forced:
            forced = self.moves_to_line(theirs, mine)
        if forced:
            moves[0] = lowest(forced)
            return 1
        for i in range(self.moves):
            if legal >> self.order[i] & 1:
                moves[n] = self.order[i]
                n += 1
        return n

    cdef Board least_image(self, Board board):
        """Return the least of the board's images under the game's symmetries."""
        cdef Board best = board, image
        cdef int i, j
        cdef uint64_t first, second
        cdef uint64_t* table
        if self.images == NULL:
            self._make_images()
        for i in range(self.symmetries):
            image.first = image.second = 0
            first, second = board.first, board.second
            for j in range(self.bytes):
                table = self.images + (i * self.bytes + j) * 256
                image.first |= table[first & 255]
                image.second |= table[second & 255]
                first >>= 8
                second >>= 8
            if image.first < best.first or (
                image.first == best.first and image.second < best.second
            ):
                best = image
        return best

    cdef _make_images(self):
        if self.falls:
            stride = self.stride
            places = [
                (self.moves - 1 - bit // stride) * stride + bit % stride
                for bit in range(self.moves * stride)
            ]
            symmetries = [places]
        else:
            symmetries = list(self.game.symmetries[1:])
        cdef int bits = self.moves * self.stride if self.falls else self.squares
        cdef int i, j, value, bit
        cdef uint64_t image
        self.symmetries, self.bytes = len(symmetries), (bits + 7) // 8
        cdef uint64_t* images = <uint64_t*> calloc(
            max(1, self.symmetries * self.bytes * 256), sizeof(uint64_t)
        )
        if images == NULL:
            raise MemoryError
        for i, symmetry in enumerate(symmetries):
            for j in range(self.bytes):
                for value in range(256):
                    image = 0
                    for bit in range(8):
                        if value >> bit & 1 and j * 8 + bit < bits:
                            image |= <uint64_t> 1 << <int> symmetry[j * 8 + bit]
                    images[(i * self.bytes + j) * 256 + value] = image
        self.images = images


#: The game that was asked last, and its rules. Each game has its own among its attributes.
cdef object _last_game = object()
cdef Rules _last_rules = None
cdef str _ATTRIBUTE = "_words"


def words_of(game):
    """Return the rules of a new game, None for one that is left to Python."""
    return _rules(game)


cdef Rules rules_of(object game):
    """Return the rules of a game, None for one that is left to Python."""
    global _last_game, _last_rules
    if game is _last_game:
        return _last_rules
    if type(game) not in _KINDS:
        return None
    known = game.__dict__.get(_ATTRIBUTE)
    if type(known) is not Rules or (<Rules> known).game is not game:
        return None
    _last_rules = known
    _last_game = game
    return _last_rules


#: The classes of games that have rules here. They add themselves.
_KINDS = set()


def add_kind(kind):
    """Take a class of games into account."""
    _KINDS.add(kind)
    return kind


def _fits(game):
    """Return whether the rules of a game fit into words, whatever was done to the game."""
    falls = game.look == "holes"
    full = game.full
    order = game.centre_first if falls else game.by_lines
    return (
        type(full) is int and 0 < full < WORDS
        and (game.key_bits if falls else game.squares) <= MAX_SQUARES
        and type(game.moves) is int and 0 < game.moves <= MAX_SQUARES
        and len(game.lines) <= MAX_LINES
        and all(type(line) is int and 0 < line and not line & ~full for line in game.lines)
        and sorted(order) == [*range(game.moves)]
        and (_falls_in_words(game) if falls else full == (1 << game.squares) - 1)
    )


def _falls_in_words(game):
    """Return the same for what only games of falling discs have."""
    return (
        len(game.column) == game.moves
        and all(type(column) is int and 0 < column < WORDS for column in game.column)
        and 0 < game.bottom < WORDS and 1 <= game.rows < MAX_SQUARES
        and len(game._shifts) == 4
        and all(len(shifts) < 8 for shifts in game._shifts)
        # A shift by a whole word is undefined.
        and all(0 < shift < MAX_SQUARES for shifts in game._shifts for shift in shifts)
    )


cdef Rules _rules(object game):
    """Return the rules of a game that has none yet, None for one that is left to Python."""
    cdef Rules rules
    try:
        if not _fits(game):
            return None
        rules = Rules.__new__(Rules)
        rules._take(game)
    except Exception:  # somebody has changed the game
        return None
    return rules


cdef Rules rules_at(object position, Board* board):
    """Return the rules of a position, and note its board. None leaves it to Python."""
    cdef object first, second
    cdef Rules rules
    if not PyTuple_Check(position) or PyTuple_GET_SIZE(position) != 3:
        return None
    rules = rules_of(<object> PyTuple_GET_ITEM(position, 0))
    if rules is None or type(position) is not rules.position:
        return None
    first, second = <object> PyTuple_GET_ITEM(position, 1), <object> PyTuple_GET_ITEM(position, 2)
    if not PyLong_CheckExact(first) or not PyLong_CheckExact(second):
        return None
    try:
        board.first = PyLong_AsUnsignedLongLong(first)
        board.second = PyLong_AsUnsignedLongLong(second)
    except OverflowError:
        return None
    if (board.first | board.second) & ~rules.full:
        return None
    return rules


cdef object position_at(Rules rules, Board board):
    """Return the position of a board."""
    cdef object position = new_tuple(rules.position, 3)
    cdef object first = PyLong_FromUnsignedLongLong(board.first)
    cdef object second = PyLong_FromUnsignedLongLong(board.second)
    Py_INCREF(rules.game)
    PyTuple_SET_ITEM(position, 0, rules.game)
    Py_INCREF(first)
    PyTuple_SET_ITEM(position, 1, first)
    Py_INCREF(second)
    PyTuple_SET_ITEM(position, 2, second)
    return position


cdef tuple tuple_of(uint64_t bits):
    """Return the numbers of the bits that are set, ascending."""
    cdef int i
    cdef tuple numbers
    cdef object number
    cdef uint64_t rest = bits
    if bits < 512:
        known = SMALL[bits]
        if known is not None:
            return <tuple> known
    numbers = PyTuple_New(popcount(bits))
    for i in range(popcount(bits)):
        number = lowest(rest)
        Py_INCREF(number)
        PyTuple_SET_ITEM(numbers, i, number)
        rest &= rest - 1
    if bits < 512:
        SMALL[bits] = numbers
    return numbers


cdef inline int _side_of(object side) except -2:
    """Return the number of a side, -1 for what only Python understands."""
    cdef int overflow = 0
    cdef long number
    if not PyLong_Check(side):
        return -1
    number = PyLong_AsLongAndOverflow(side, &overflow)
    return number if number == 0 or number == 1 else -1


def to_move(self):
    cdef Board board
    if rules_at(self, &board) is None:
        return PURE["to_move"](self)
    return SIDES[popcount(board.first | board.second) & 1]


def ply(self):
    cdef Board board
    if rules_at(self, &board) is None:
        return PURE["ply"](self)
    return popcount(board.first | board.second)


def outcome(self):
    cdef Board board
    cdef Rules rules = rules_at(self, &board)
    cdef uint64_t occupied
    cdef int last
    if rules is None:
        # The outcome of misere play asks for that of its lines, in the class above.
        return PURE["outcome"](self)
    occupied = board.first | board.second
    last = popcount(occupied) & 1 ^ 1
    if rules.has_line(board.second if last else board.first):
        return ENDS[last]
    return ENDS[DRAW] if occupied == rules.full else None


cdef tuple _legal(object self, str name):
    cdef Board board
    cdef Rules rules = rules_at(self, &board)
    cdef uint64_t occupied
    if rules is None:
        return PURE[name](self)
    occupied = board.first | board.second
    if rules.has_line(board.first if popcount(occupied) & 1 else board.second):
        return ()
    return tuple_of(rules.moves_of(rules.landings(occupied)))


def legal_squares(self):
    return _legal(self, "legal_squares")


def legal_columns(self):
    return _legal(self, "legal_columns")


cdef object _played(object self, object move, str name):
    cdef Board board
    cdef Rules rules = rules_at(self, &board)
    cdef int overflow = 0
    cdef long number = -1
    cdef uint64_t occupied
    if rules is not None and PyLong_CheckExact(move):
        number = PyLong_AsLongAndOverflow(move, &overflow)
    if overflow or not 0 <= number < MAX_SQUARES:
        return PURE[name](self, move)
    occupied = board.first | board.second
    if not rules.bit_of(occupied, number) or rules.has_line(
        board.first if popcount(occupied) & 1 else board.second
    ):
        return PURE[name](self, move)  # which says why that is illegal
    return position_at(rules, rules.played(board, number))


def play_square(self, move):
    return _played(self, move, "play_square")


def play_column(self, move):
    return _played(self, move, "play_column")


def winning_squares(self, side):
    cdef Board board
    cdef Rules rules = rules_at(self, &board)
    cdef int number = _side_of(side)
    if rules is None or number < 0:
        return PURE["winning_squares"](self, side)
    if number:
        return tuple_of(rules.winning(board.second, board.first))
    return tuple_of(rules.winning(board.first, board.second))


def winning_columns(self, side):
    cdef Board board
    cdef Rules rules = rules_at(self, &board)
    cdef int number = _side_of(side)
    cdef uint64_t moves
    if rules is None or number < 0:
        return PURE["winning_columns"](self, side)
    if number:
        moves = rules.moves_to_line(board.second, board.first)
    else:
        moves = rules.moves_to_line(board.first, board.second)
    return tuple_of(moves) if moves and rules.ending(board) == GOES_ON else ()


def forking_squares(self, side):
    cdef Board board
    cdef Rules rules = rules_at(self, &board)
    cdef int number = _side_of(side), i
    cdef uint64_t mine, theirs, missing, winning = 0, bit, forks = 0, rest
    cdef uint64_t[64] beside
    if rules is None or number < 0:
        return PURE["forking_squares"](self, side)
    mine, theirs = (board.second, board.first) if number else (board.first, board.second)
    for i in range(rules.squares):
        beside[i] = 0
    for i in range(rules.lines):
        if not rules.line[i] & theirs:
            missing = rules.line[i] & ~mine
            if popcount(missing) == 1:
                winning |= missing
            elif popcount(missing) == 2:  # one of both makes the other one win
                bit = missing & (~missing + 1)
                beside[lowest(bit)] |= missing ^ bit
                beside[lowest(missing ^ bit)] |= bit
    rest = rules.full ^ (mine | theirs)
    while rest:
        bit = rest & (~rest + 1)
        rest ^= bit
        if popcount(winning & ~bit | beside[lowest(bit)]) > 1:
            forks |= bit
    return tuple_of(forks)


def free_squares(self, squares):
    cdef Board board
    cdef uint64_t occupied
    cdef object square
    cdef list found
    if type(squares) is not tuple or rules_at(self, &board) is None:
        return PURE["free_squares"](self, squares)
    occupied = board.first | board.second
    found = []
    for square in <tuple> squares:
        if not PyLong_CheckExact(square) or not 0 <= square < MAX_SQUARES:
            return PURE["free_squares"](self, squares)
        if not occupied >> <int> square & 1:
            found.append(square)
    return tuple(found)


cdef tuple _search_moves(object self, str name):
    cdef Board board
    cdef Rules rules = rules_at(self, &board)
    cdef int[MAX_SQUARES] moves
    cdef int i, n
    if rules is None or rules.misere or rules.ending(board) != GOES_ON:
        return PURE[name](self)
    n = rules.search_moves(board, moves)
    return tuple([moves[i] for i in range(n)])


def search_squares(self):
    return _search_moves(self, "search_squares")


def search_columns(self):
    return _search_moves(self, "search_columns")


cdef object _plies_to_win(object self, object side, str name):
    cdef Board board
    cdef Rules rules = rules_at(self, &board)
    cdef int number = _side_of(side)
    if rules is None or number < 0:
        return PURE[name](self, side)
    return rules.plies_to_win(board, number)


def plies_to_line(self, side):
    return _plies_to_win(self, side, "plies_to_line")


def plies_to_four(self, side):
    return _plies_to_win(self, side, "plies_to_four")


cdef object _least_image(object self, str name):
    cdef Board board
    cdef Rules rules = rules_at(self, &board)
    if rules is None:
        return PURE[name](self)
    return position_at(rules, rules.least_image(board))


def least_square_image(self):
    return _least_image(self, "least_square_image")


def least_column_image(self):
    return _least_image(self, "least_column_image")


def estimate(self):
    cdef Board board
    cdef Rules rules = rules_at(self, &board)
    cdef long long crosses = 0, noughts = 0
    cdef int i, j, x, o
    cdef long long worth
    if rules is None or rules.longest > MAX_LINE:
        return PURE["estimate"](self)
    for i in range(rules.lines):
        x, o = popcount(board.first & rules.line[i]), popcount(board.second & rules.line[i])
        if x and o or not (x or o):
            continue
        worth = 1
        for j in range(x + o):
            worth *= 10
        if x:
            crosses += worth
        else:
            noughts += worth
    return crosses - noughts
