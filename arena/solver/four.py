"""Ask whether a side forces four in a row by a ply: an AND/OR search over bitboards.

One side is the attacker: it searches for one move that wins, its opponent for one that does not
lose. A position is two bitboards in the layout of :mod:`arena.games.connect4`: the discs of the
side to move, and all discs. The order of moves, by the threats that they make, is that of Pons,
"Solving Connect 4: how to build a perfect AI" (2015).

numba compiles these functions as they stand, see :mod:`arena.solver.compiled`. So they take numbers
and flat sequences alone: a stack of frames of :func:`frame_size` numbers, a table of entries
``key << 12 | won << 6 | held``, which say that the attacker wins by the ply ``won``, and does not
win by the ply ``held``, and a state, with which a search that has spent its budget goes on.
"""

from __future__ import annotations

from collections.abc import MutableSequence

#: Answers of :func:`search`.
NO, YES, UNFINISHED = 0, 1, 2

#: The numbers of a frame: the position, how many moves are left, and the moves with their threats.
MINE, OCCUPIED, REMAINING, MOVES = 0, 1, 2, 3

#: The value of ``LEFT`` for a position that the search has not looked at.
NEW = -1

#: The numbers of a state: the depth and the nodes of the search, if :func:`choose` is in a child,
#: the ply by which it wants to win, and for :func:`choose_all` the place of the position and the
#: ply.
DEPTH, NODES, CHILD, WITHIN, INDEX, PLY = 0, 1, 2, 3, 4, 5
STATE_SIZE = 6

#: Plies within which the quickest win is chosen.
NEAR_PLIES = 7

#: Positions before this ply have a part of the table to themselves.
EARLY = 20

#: An entry of the table that says nothing: the attacker wins by no ply.
EMPTY = 63 << 6

#: Columns, rows, the bottom row, all squares, every other row from the bottom, the attacker (0 or
#: 1, for the side that moves first or second in the game), and the horizon.
SearchBoard = tuple[int, int, int, int, int, int, int]
Numbers = MutableSequence[int]


def frame_size(columns: int) -> int:
    """Return how many numbers a frame has."""
    return MOVES + 2 * columns


def completing(bits: int, rows: int, full: int) -> int:
    """Return the squares, free or not, that complete four in a row with the bitboard."""
    squares = bits << 1 & bits << 2 & bits << 3
    for step in (rows, rows + 1, rows + 2):
        up, down = bits << step, bits >> step
        two_up, two_down = up & up << step, down & down >> step
        squares |= two_up & (up << 2 * step | down) | two_down & (down >> 2 * step | up)
    return squares & full


def has_four(bits: int, rows: int) -> bool:
    """Return whether the bitboard holds four in a row."""
    for step in (1, rows, rows + 1, rows + 2):
        pairs = bits & bits >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


def key_of(mine: int, occupied: int, question: SearchBoard) -> int:
    """Return a number that a position and its mirror image share with no other."""
    columns, rows, _, _, _, _, _ = question
    key = rest = mine + occupied
    image, column = 0, (1 << rows + 1) - 1
    for _ in range(columns):
        image = image << rows + 1 | rest & column
        rest >>= rows + 1
    return min(key, image)


def safe_moves(mine: int, occupied: int, question: SearchBoard) -> int:
    """Return the landing squares after which the opponent cannot win at once."""
    _, rows, bottom, full, _, _, _ = question
    moves = occupied + bottom & full
    threats = completing(mine ^ occupied, rows, full)
    forced = threats & moves
    if forced:
        moves = 0 if forced & forced - 1 else forced
    return moves & ~(threats >> 1)


def glance(mine: int, occupied: int, ply: int, question: SearchBoard) -> int:
    """Return NO or YES where the position shows the answer, else UNFINISHED."""
    _, rows, bottom, full, odd, attacker, horizon = question
    attacks = ply & 1 == attacker
    landings = occupied + bottom & full
    if completing(mine, rows, full) & landings:
        return YES if attacks and ply < horizon else NO
    if not safe_moves(mine, occupied, question):  # lost in two plies, or a full board
        return YES if landings and not attacks and ply + 2 <= horizon else NO
    if ply + (3 if attacks else 4) > horizon:
        return NO
    free = full & ~occupied
    attacking = mine if attacks else mine ^ occupied
    if not has_four(attacking | free, rows):
        return NO
    # The second side can answer every disc with one on top of it where all columns have an even
    # number of free squares (Allis, "A knowledge-based approach of connect-four", 1988: claimeven).
    follows = attacks and attacker == 0 and rows & 1 == 0 and landings & odd == landings
    return NO if follows and not has_four(attacking | free & odd, rows) else UNFINISHED


def order(frames: Numbers, index: int, moves: int, question: SearchBoard) -> None:
    """Write the moves into the frame: those that make more threats later, and then the middle."""
    columns, rows, _, full, _, _, _ = question
    mine, free, count = frames[index + MINE], full & ~frames[index + OCCUPIED], 0
    for i in range(columns):
        column = i // 2 if i & 1 == 0 else columns - 1 - i // 2
        move = moves & ((1 << rows) - 1) << (rows + 1) * column
        if move:
            threats = completing(mine | move, rows, full) & free
            score = 0
            while threats:
                threats &= threats - 1
                score += 1
            to = index + MOVES + 2 * count
            while to > index + MOVES and frames[to - 1] > score:
                frames[to], frames[to + 1] = frames[to - 2], frames[to - 1]
                to -= 2
            frames[to], frames[to + 1] = move, score
            count += 1
    frames[index + REMAINING] = count


def descend(frames: Numbers, index: int, size: int) -> int:
    """Write the position after the last move that is left into the next frame, and return it."""
    frames[index + REMAINING] -= 1
    move = frames[index + MOVES + 2 * frames[index + REMAINING]]
    frames[index + size + MINE] = frames[index + MINE] ^ frames[index + OCCUPIED]
    frames[index + size + OCCUPIED] = frames[index + OCCUPIED] | move
    frames[index + size + REMAINING] = NEW
    return move


def place(table: Numbers, key: int, ply: int) -> int:
    """Return the entry of a key. Early positions, which took long, do not share with late ones."""
    early = len(table) // 4 | 1  # the numbers are odd, so that all bits of the key count
    return key % early if ply < EARLY else early + key % (len(table) - early - 1 | 1)


def recall(table: Numbers, key: int, ply: int, horizon: int) -> int:
    """Return what the table knows: NO, YES or UNFINISHED."""
    entry = table[place(table, key, ply)]
    if entry >> 12 == key:
        if entry >> 6 & 63 <= horizon:
            return YES
        if entry & 63 >= horizon:
            return NO
    return UNFINISHED


def remember(table: Numbers, key: int, ply: int, horizon: int, answer: int) -> None:
    """Write an answer into the table, over whatever is there."""
    index = place(table, key, ply)
    won, held = 63, 0
    if table[index] >> 12 == key:
        won, held = table[index] >> 6 & 63, table[index] & 63
    if answer == YES:
        won = min(won, horizon)
    else:
        held = max(held, horizon)
    table[index] = key << 12 | won << 6 | held


def search(
    frames: Numbers, table: Numbers, state: Numbers, ply: int, question: SearchBoard, budget: int
) -> int:
    """Return whether the attacker wins by the horizon from the position in frame 1, at the ply.

    The answer is UNFINISHED if that takes more nodes than the budget. Call it again with the same
    state to go on.
    """
    size, attacker, horizon = MOVES + 2 * question[0], question[5], question[6]
    depth, last = state[DEPTH], state[NODES] + budget
    while True:
        index = size * (1 + depth)
        answer = UNFINISHED
        mine, occupied = frames[index + MINE], frames[index + OCCUPIED]
        if frames[index + REMAINING] == NEW:
            if state[NODES] >= last:
                state[DEPTH] = depth
                return UNFINISHED
            state[NODES] += 1
            answer = glance(mine, occupied, ply + depth, question)
            if answer == UNFINISHED:
                answer = recall(table, key_of(mine, occupied, question), ply + depth, horizon)
            if answer == UNFINISHED:
                order(frames, index, safe_moves(mine, occupied, question), question)
        elif frames[index + REMAINING] == 0:  # no move gave the side what it wants
            answer = NO if ply + depth & 1 == attacker else YES
            remember(table, key_of(mine, occupied, question), ply + depth, horizon, answer)
        while answer != UNFINISHED:
            if depth == 0:
                state[DEPTH] = 0
                return answer
            depth -= 1
            index -= size
            if answer != (YES if ply + depth & 1 == attacker else NO):
                break
            key = key_of(frames[index + MINE], frames[index + OCCUPIED], question)
            remember(table, key, ply + depth, horizon, answer)
        if frames[index + REMAINING] > 0:
            descend(frames, index, size)
            depth += 1


def choose(
    frames: Numbers, table: Numbers, state: Numbers, ply: int, question: SearchBoard, budget: int
) -> int:
    """Return the square of a move that keeps the answer in the position in frame 0, at the ply.

    A side that can win at once does, and an attacker that wins within NEAR_PLIES wins as soon as it
    can: quick wins have short proofs. The answer is 0 if that takes more nodes than the budget, as
    for :func:`search`, and -1 where no move keeps it.
    """
    columns, rows, bottom, full, odd, attacker, horizon = question
    mine, occupied, size = frames[MINE], frames[OCCUPIED], MOVES + 2 * columns
    wanted, last = (YES if ply & 1 == attacker else NO), state[NODES] + budget
    if state[WITHIN] == 0:
        winning = completing(mine, rows, full) & occupied + bottom & full
        if winning:
            return winning & -winning
        state[WITHIN] = min(ply + 3, horizon) if wanted == YES else horizon
        order(frames, 0, safe_moves(mine, occupied, question), question)
    while True:
        within = (columns, rows, bottom, full, odd, attacker, state[WITHIN])
        while state[CHILD] == 1 or frames[REMAINING] > 0:
            if state[CHILD] == 0:
                descend(frames, 0, size)
                state[DEPTH], state[CHILD] = 0, 1
            answer = search(frames, table, state, ply + 1, within, last - state[NODES])
            if answer == UNFINISHED:
                return 0
            state[CHILD] = 0
            if answer == wanted:
                state[WITHIN] = 0
                return frames[MOVES + 2 * frames[REMAINING]]
        if state[WITHIN] == horizon:
            state[WITHIN] = 0
            return -1
        state[WITHIN] = state[WITHIN] + 2 if state[WITHIN] + 2 <= ply + NEAR_PLIES else horizon
        state[WITHIN] = min(state[WITHIN], horizon)
        order(frames, 0, safe_moves(mine, occupied, question), question)


def choose_all(
    positions: Numbers,
    squares: Numbers,
    frames: Numbers,
    table: Numbers,
    state: Numbers,
    question: SearchBoard,
    budget: int,
) -> int:
    """Write the moves that :func:`choose` returns for positions of one ply, from ``state[AT]`` on.

    ``positions`` has the discs of the side to move and all discs of one after the other,
    ``squares`` a number for each. Return how many have one: fewer than all if that takes more nodes
    than the budget, as for :func:`search`.
    """
    last = state[NODES] + budget
    while state[INDEX] < len(squares) and state[NODES] < last:
        index = state[INDEX]
        if state[WITHIN] == 0:
            frames[MINE], frames[OCCUPIED] = positions[2 * index], positions[2 * index + 1]
        move = choose(frames, table, state, state[PLY], question, last - state[NODES])
        if move != 0:
            squares[index] = move
            state[INDEX] += 1
    return state[INDEX]
