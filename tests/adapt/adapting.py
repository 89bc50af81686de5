"""Positions of rows of squares, for tests of other boards."""

from __future__ import annotations

from hypothesis import strategies as st

from arena.games.mnk import MnkPosition, mnk_game

TICTACTOE = mnk_game(3, 3, 3)
BOARDS = [*((n, n, n) for n in (1, 2, 3, 4, 5)), (4, 2, 3), (2, 5, 2), (20, 20, 20)]
EMPTY = TICTACTOE.start()


@st.composite
def positions(draw: st.DrawFn, boards: list[tuple[int, int, int]] = BOARDS) -> MnkPosition:
    position = mnk_game(*draw(st.sampled_from(boards))).start()
    for number in draw(st.lists(st.integers(0, 399), max_size=30)):
        legal = position.legal_moves()
        if legal:
            position = position.play(legal[number % len(legal)])
    return position
