"""The truth about what a file says, from the rules of tic-tac-toe and nothing of arena's."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

LINES = ("123", "456", "789", "147", "258", "369", "159", "357")


def winner(board: str) -> str | None:
    """Return who won, ``draw`` if nobody can any more, None while the game goes on."""
    for side, mark in (("first", "x"), ("second", "o")):
        if any(all(board[int(square) - 1] == mark for square in line) for line in LINES):
            return side
    return None if "_" in board else "draw"


def after(board: str, move: str) -> str:
    """Return the board after a move of whoever's turn it is."""
    assert len(move) == 1, "not a square"
    assert move in "123456789", "not a square"
    at = int(move) - 1
    assert board[at] == "_", "the square is taken"
    assert winner(board) is None, "the game is over"
    return board[:at] + "xo"[(9 - board.count("_")) % 2] + board[at + 1 :]


def outcome(moves: list[str]) -> str | None:
    """Return how a game of these moves ends, None if it does not. Raises AssertionError."""
    board = "_" * 9
    for move in moves:
        board = after(board, move)
    return winner(board)


def check_certificate(path: Path) -> None:
    """Fail if a side of a certificate for tic-tac-toe claims what its moves do not show."""
    record = json.loads(path.read_bytes())
    if record["game"] != "tictactoe":
        return
    for side in ("first", "second"):
        walk = Walk(record[side]["moves"], record["keyed_by"], side)
        loses = walk.loses("_" * 9, ())
        assert record[side]["never_loses"] is not loses
        assert record[side]["positions"] == len(walk.positions)


class Walk:
    """All games in which a side moves by a table, and the opponent anyhow."""

    def __init__(self, table: Any, keyed_by: str, side: str) -> None:
        self.table, self.keyed_by, self.side = table, keyed_by, side
        #: The boards that were met, also at the end of a game.
        self.positions: set[str] = set()

    def loses(self, board: str, line: tuple[str, ...]) -> bool:
        """Return whether a game that goes on from here is lost."""
        self.positions.add(board)
        end = winner(board)
        if end is not None:
            return end not in (self.side, "draw")
        moves = [square for square in "123456789" if board[int(square) - 1] == "_"]
        if (self.side == "first") is (len(moves) % 2 == 1):
            moves = list(self.table[board if self.keyed_by == "position" else " ".join(line)])
            assert moves, "no move where one is due"
        losses = [self.loses(after(board, move), (*line, move)) for move in moves]
        return any(losses)  # not before all have been walked


def check_saved(path: Path, shown: str) -> None:
    """Fail if a replayed game of tic-tac-toe did not end as its moves end."""
    record = json.loads(shown)
    assert record["moves"] == json.loads(path.read_bytes())["moves"]
    if record["game"] == "tictactoe" and record["forfeit"] is None and record["opening"] is None:
        assert record["outcome"] == outcome(record["moves"])


def check_results(path: Path, shown: str) -> None:
    """Fail if a player has other results than the rows of a file say."""
    says: Counter[tuple[str, str]] = Counter()
    text = path.read_bytes().decode("utf-8-sig")
    for row in csv.DictReader(io.StringIO(text, newline="")):
        if row["b"] is None:  # an empty line
            assert not (row["a"] or "").strip()
            continue
        for name, won, lost in ((row["a"], "wins", "losses"), (row["b"], "losses", "wins")):
            says[name, "wins"] += int(row[won])
            says[name, "losses"] += int(row[lost])
            says[name, "draws"] += int(row["draws"])
    rated = {
        (player["player"], what): player[what]
        for player in json.loads(shown)["players"]
        for what in ("wins", "draws", "losses")
    }
    assert rated == dict(says)


def check_store(path: Path, run: int, shown: str) -> None:
    """Fail if the fights of a run have other totals than their games come to."""
    record = json.loads(shown)
    fights = record.get("fights", [record])
    with closing(sqlite3.connect(path)) as database:
        games = "SELECT fight, half, moves, reason, forfeit_side FROM games WHERE run = ?"
        rows = database.execute(games, (run,)).fetchall()
    for number, fight in enumerate(fights):
        if fight["game"] != "tictactoe":
            continue
        total: Counter[str] = Counter()
        for place, half, moves, reason, loser in rows:
            if place == number:
                end = ("second", "first")[int(loser)] if reason else outcome(moves.split())
                first = {"first": "wins", "second": "losses", "draw": "draws"}[str(end)]
                other = {"wins": "losses", "losses": "wins"}.get(first, first)
                total[first if half == 1 else other] += 1
        assert fight["total"] == {what: total[what] for what in ("wins", "draws", "losses")}
