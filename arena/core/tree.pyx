# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled twin of the tree search by random games, for games in which a line decides.

It draws as ``random.Random`` does and adds up in the same order as ``arena/games/uct.py``, which
explains it: it finds the same move.
"""

from libc.math cimport log, sqrt
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memset

from arena.core.lines cimport DRAW, GOES_ON, Board, Rules, rules_at
from arena.core.words cimport PyErr_CheckSignals, PyLong_CheckExact, lowest, popcount

PURE = {}

cdef enum:
    WORDS = 624
    MIDDLE = 397
    #: More than that, and what is no number, is left to Python.
    MAX_EXPLORATION = 1000000
    #: Simulations between two looks for Ctrl-C.
    PAUSE = 128


cdef class Twister:
    """The Mersenne Twister of ``random.Random`` (Matsumoto and Nishimura, 1998), seeded as it is."""

    cdef uint32_t[624] state
    cdef int at

    cdef void seed(self, uint64_t number) noexcept:
        """Seed it as ``random.Random(number)``: by an array of words of 32 bits."""
        cdef uint32_t[2] key
        cdef int i, j, k, size = 2 if number >> 32 else 1
        key[0], key[1] = <uint32_t> number, <uint32_t> (number >> 32)
        self.state[0] = 19650218
        for i in range(1, WORDS):
            self.state[i] = (
                <uint32_t> 1812433253 * (self.state[i - 1] ^ self.state[i - 1] >> 30)
                + <uint32_t> i
            )
        i, j = 1, 0
        for k in range(WORDS):
            self.state[i] = (
                self.state[i]
                ^ (self.state[i - 1] ^ self.state[i - 1] >> 30) * <uint32_t> 1664525
            ) + key[j] + <uint32_t> j
            i += 1
            j = j + 1 if j + 1 < size else 0
            if i == WORDS:
                self.state[0] = self.state[WORDS - 1]
                i = 1
        for k in range(WORDS - 1):
            self.state[i] = (
                self.state[i]
                ^ (self.state[i - 1] ^ self.state[i - 1] >> 30) * <uint32_t> 1566083941
            ) - <uint32_t> i
            i += 1
            if i == WORDS:
                self.state[0] = self.state[WORDS - 1]
                i = 1
        self.state[0] = 0x80000000
        self.at = WORDS

    cdef uint32_t word(self) noexcept:
        """Return the next 32 bits."""
        cdef int i
        cdef uint32_t bits
        if self.at == WORDS:
            for i in range(WORDS):
                bits = self.state[i] & <uint32_t> 0x80000000
                bits |= self.state[(i + 1) % WORDS] & 0x7FFFFFFF
                self.state[i] = self.state[(i + MIDDLE) % WORDS] ^ bits >> 1
                if bits & 1:
                    self.state[i] ^= <uint32_t> 0x9908B0DF
            self.at = 0
        bits = self.state[self.at]
        self.at += 1
        bits ^= bits >> 11
        bits ^= bits << 7 & <uint32_t> 0x9D2C5680
        bits ^= bits << 15 & <uint32_t> 0xEFC60000
        return bits ^ bits >> 18

    cdef double random(self) noexcept:
        """Return a float as ``random()`` does."""
        cdef uint32_t a = self.word() >> 5, b = self.word() >> 6
        return (a * 67108864.0 + b) * (1.0 / 9007199254740992.0)

    cdef int below(self, int n) noexcept:
        """Return an int as ``randrange(n)`` does."""
        cdef int k = 0
        cdef uint32_t drawn
        while n >> k:
            k += 1
        drawn = self.word() >> (32 - k)
        while drawn >= <uint32_t> n:
            drawn = self.word() >> (32 - k)
        return drawn

    cdef void shuffle(self, uint8_t* numbers, int n) noexcept:
        """Shuffle as ``shuffle`` does."""
        cdef int i, j
        for i in range(n - 1, 0, -1):
            j = self.below(i + 1)
            numbers[i], numbers[j] = numbers[j], numbers[i]


#: What the first side gets from an end, and the second one.
cdef double[3][2] RESULTS
RESULTS[0][0], RESULTS[0][1] = 1.0, 0.0
RESULTS[1][0], RESULTS[1][1] = 0.0, 1.0
RESULTS[2][0], RESULTS[2][1] = 0.5, 0.5


cdef struct Node:
    Board board
    double total
    long visits
    #: The first and the last child, and the next of the same parent; 0 for none.
    int child, last, next
    #: Where its untried moves are, and how many are left; -1 before the first look.
    long moves
    int untried
    #: How the game ends if that is certain, else GOES_ON.
    int certain
    int move
    int mover


cdef class Tree:
    cdef Rules rules
    cdef Twister rng
    cdef Node* nodes
    cdef uint8_t* moves
    cdef int size, room
    cdef long moves_size, moves_room
    cdef double exploration

    def __cinit__(self):
        self.nodes, self.moves = NULL, NULL

    def __dealloc__(self):
        free(self.nodes)
        free(self.moves)

    cdef int add(self, Board board, int move, int mover) except -1:
        """Add a position, and return its number."""
        cdef Node* nodes
        cdef Node* node
        if self.size == self.room:
            self.room = max(64, 2 * self.room)
            nodes = <Node*> realloc(self.nodes, self.room * sizeof(Node))
            if nodes == NULL:
                raise MemoryError
            self.nodes = nodes
        node = &self.nodes[self.size]
        memset(node, 0, sizeof(Node))
        node.board, node.move, node.mover, node.untried = board, move, mover, -1
        node.certain = self.rules.ending(board)
        self.size += 1
        return self.size - 1

    cdef int look(self, int number) except -1:
        """List the moves of a position in random order."""
        cdef uint8_t* moves
        cdef int[64] found
        cdef int i
        cdef Node* node = &self.nodes[number]
        if self.moves_size + 64 > self.moves_room:
            self.moves_room = max(4096, 2 * self.moves_room)
            moves = <uint8_t*> realloc(self.moves, self.moves_room)
            if moves == NULL:
                raise MemoryError
            self.moves = moves
        node.moves = self.moves_size
        node.untried = self.rules.search_moves(node.board, found)
        for i in range(node.untried):
            self.moves[node.moves + i] = found[i]
        self.moves_size += node.untried
        self.rng.shuffle(self.moves + node.moves, node.untried)
        return 0

    cdef int next(self, int number) except -1:
        """Return the child to simulate: a new one as long as a move is left."""
        cdef Node* node = &self.nodes[number]
        cdef Node* child
        cdef int move, made, side, best = number
        cdef double width, bound, highest = -1.0
        if node.untried < 0:
            self.look(number)
        if node.untried:
            node.untried -= 1
            move = self.moves[node.moves + node.untried]
            side = popcount(node.board.first | node.board.second) & 1
            made = self.add(self.rules.played(node.board, move), move, side)
            node = &self.nodes[number]  # it may have moved
            if node.child:
                self.nodes[node.last].next = made
            else:
                node.child = made
            node.last = made
            return made
        width = self.exploration * sqrt(log(<double> node.visits))
        made = node.child
        while made:
            child = &self.nodes[made]
            if child.certain == GOES_ON:
                bound = child.total / child.visits + width / sqrt(<double> child.visits)
            else:
                bound = RESULTS[child.certain][child.mover]
            if bound > highest:
                best, highest = made, bound
            made = child.next
        return best

    cdef void take_best(self, int number) noexcept:
        """Take the results of the best child if that is certainly the best."""
        cdef Node* node = &self.nodes[number]
        cdef Node* child
        cdef int at = node.child, best = GOES_ON, side = self.nodes[node.child].mover
        cdef bint is_complete = not node.untried
        while at:
            child = &self.nodes[at]
            if child.certain == GOES_ON:
                is_complete = False
            elif best == GOES_ON or RESULTS[child.certain][side] > RESULTS[best][side]:
                best = child.certain
            at = child.next
        if best != GOES_ON and (is_complete or RESULTS[best][side] == 1):
            node.certain = best

    cdef int play_out(self, Board board) noexcept:
        """Return how a random game from a position ends that goes on."""
        return self.drop_out(board) if self.rules.falls else self.fill(board)

    cdef int fill(self, Board board) noexcept:
        cdef Rules rules = self.rules
        cdef uint8_t[64] order
        cdef uint64_t[2] boards, filled
        cdef uint64_t rest = rules.full ^ (board.first | board.second), line
        cdef int n = popcount(rest), i, turn, first = popcount(board.first | board.second) & 1
        cdef int j, open_lines = 0
        cdef uint64_t[4096] lines
        for i in range(n):
            order[i] = lowest(rest)
            rest &= rest - 1
        self.rng.shuffle(order, n)
        boards[0], boards[1] = board.first, board.second
        filled[0], filled[1] = board.first, board.second
        for i in range(n):
            filled[first ^ i & 1] |= <uint64_t> 1 << order[i]
        for i in range(rules.lines):
            line = rules.line[i]
            if filled[0] & line == line or filled[1] & line == line:
                lines[open_lines] = line
                open_lines += 1
        for i in range(n):
            turn = first ^ i & 1
            boards[turn] |= <uint64_t> 1 << order[i]
            for j in range(open_lines):
                if boards[turn] & lines[j] == lines[j]:
                    return turn ^ rules.misere
        return DRAW

    cdef int drop_out(self, Board board) noexcept:
        cdef Rules rules = self.rules
        cdef uint64_t[64] places
        cdef uint64_t[2] boards
        cdef uint64_t landings = rules.landings(board.first | board.second), landing
        cdef int n = 0, i, index, turn = popcount(board.first | board.second) & 1
        boards[0], boards[1] = board.first, board.second
        for i in range(rules.moves):
            landing = landings & rules.column[i]
            if landing:
                places[n] = landing
                n += 1
        while n:
            index = <int> (self.rng.random() * n)
            boards[turn] |= places[index]
            if rules.has_line(boards[turn]):
                return turn ^ rules.misere
            places[index] = places[index] << 1 & rules.full
            if not places[index]:
                n -= 1
                for i in range(index, n):
                    places[i] = places[i + 1]
            turn ^= 1
        return DRAW

    cdef int simulate(self, int* path) except -1:
        """Go down the tree, add a position, play it to the end, and count the result."""
        cdef int node = 0, length = 1, ending, i
        path[0] = 0
        while self.nodes[node].certain == GOES_ON and (self.nodes[node].visits or not node):
            node = self.next(node)
            if length > 128:
                raise RuntimeError("no game is so long")
            path[length] = node
            length += 1
        ending = self.nodes[node].certain
        if ending == GOES_ON:
            ending = self.play_out(self.nodes[node].board)
        for i in range(length):
            self.nodes[path[i]].visits += 1
            self.nodes[path[i]].total += RESULTS[ending][self.nodes[path[i]].mover]
        if self.nodes[node].certain != GOES_ON:
            for i in range(length - 2, -1, -1):
                self.take_best(path[i])
                if self.nodes[path[i]].certain == GOES_ON:
                    break
        return 0


def choose(position, rng, simulations=None, exploration=None):
    cdef Board board
    cdef Rules rules = rules_at(position, &board)
    cdef Tree tree
    cdef int[130] path
    cdef long i, number
    cdef int at, best = 0
    cdef double sure, best_sure = 0
    cdef Node* node
    cdef Node* before
    if (
        rules is None or rules.ending(board) != GOES_ON
        or not PyLong_CheckExact(simulations) or type(exploration) is not float
        or not 0 < simulations <= 10**7 or not 0 <= exploration <= MAX_EXPLORATION
    ):
        return PURE["choose"](position, rng, simulations, exploration)
    tree = Tree.__new__(Tree)
    tree.rules, tree.exploration, tree.rng = rules, exploration, Twister.__new__(Twister)
    tree.rng.seed(rng.getrandbits(64))
    tree.add(board, 0, popcount(board.first | board.second) & 1)
    number = simulations
    for i in range(number):
        if tree.nodes[0].certain != GOES_ON:
            break
        tree.simulate(path)
        if i % PAUSE == 0:
            PyErr_CheckSignals()
    at = tree.nodes[0].child
    while at:
        node = &tree.nodes[at]
        sure = 0.5 if node.certain == GOES_ON else RESULTS[node.certain][node.mover]
        before = &tree.nodes[best]
        if not best or (sure, node.visits, node.total) > (best_sure, before.visits, before.total):
            best, best_sure = at, sure
        at = node.next
    return tree.nodes[best].move
