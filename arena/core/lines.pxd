"""Boards of at most 64 squares on which a line decides, as machine words."""

from libc.stdint cimport uint64_t


cdef struct Board:
    #: The marks of x and of o.
    uint64_t first
    uint64_t second


cdef class Rules:
    """What the functions here need to know of a game, which is one of m,n,k or of falling discs."""

    cdef readonly object game
    #: The class of the game's positions.
    cdef object position
    #: Whether discs fall, and whether the side with a line has lost.
    cdef bint falls, misere
    #: The squares of the board, and the number of moves: of squares or of columns.
    cdef int squares, moves
    #: All squares and the lowest of each column; bits from one column to the next.
    cdef uint64_t full, bottom
    cdef int stride
    #: The squares of each column.
    cdef uint64_t[64] column
    #: The number of lines, and of the longest line's squares; the lines as boards.
    cdef int lines, longest
    cdef uint64_t* line
    #: Steps of the shifts that find a line of discs: of four directions, each ended by 0.
    cdef int[4][8] shifts
    cdef int k
    #: Moves in the order in which a search looks at them.
    cdef int[64] order
    #: Images of the bytes of a board by the symmetries but the identity; NULL before the first look.
    cdef uint64_t* images
    cdef int symmetries, bytes

    cdef _take(self, game)
    cdef _make_images(self)
    cdef bint has_line(self, uint64_t bits) noexcept
    cdef uint64_t winning(self, uint64_t mine, uint64_t theirs) noexcept
    cdef uint64_t landings(self, uint64_t occupied) noexcept
    cdef uint64_t bit_of(self, uint64_t occupied, int move) noexcept
    cdef uint64_t completing(self, uint64_t mine, uint64_t theirs) noexcept
    cdef uint64_t moves_of(self, uint64_t squares) noexcept
    cdef int ending(self, Board board) noexcept
    cdef int race(self, uint64_t mine, uint64_t theirs, uint64_t* winning) noexcept
    cdef int plies_to_win(self, Board board, int side) noexcept
    cdef Board least_image(self, Board board)
    cdef Board played(self, Board board, int move) noexcept
    cdef uint64_t moves_to_line(self, uint64_t mine, uint64_t theirs) noexcept
    cdef int search_moves(self, Board board, int* moves) noexcept


#: How a game stands: it goes on, or ended so.
cdef enum:
    GOES_ON = -1
    FIRST_WINS = 0
    SECOND_WINS = 1
    DRAW = 2

cdef tuple ENDS

cdef Rules rules_at(object position, Board* board)
cdef object position_at(Rules rules, Board board)
cdef tuple tuple_of(uint64_t bits)
cdef Rules rules_of(object game)
