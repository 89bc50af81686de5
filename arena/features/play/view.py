"""Describe the games at a board as a page shows it: text and pictures as JSON."""

from __future__ import annotations

from arena.features.play.board import SessionSeries
from arena.features.play.hints import Hint
from arena.features.play.words import hinted
from arena.game import Position, Side
from arena.pictures.diagram import Diagram
from arena.pictures.positions import playable
from arena.records.base import Json


def view(board: SessionSeries, hint: Hint | None = None) -> Json:
    """Return all that a page needs of the game, with a hint on the board if one is given.

    A choice is a legal move of the human to move: its text, and the squares to choose for it.
    """
    session = board.session
    position, over = session.position, session.record is not None
    moves = position.legal_moves() if session.asks_person else ()
    choices = [(move, position.write_move(move), position.move_squares(move)) for move in moves]
    return {
        "game": session.game.name,
        "players": [board.who(side) for side in Side],
        "moves": list(map(session.game.format_move, session.moves)),
        "seed": session.seed,
        "winners": board.winners,
        "over": over,
        "asks": session.asks_person,
        "watched": session.is_watched,
        "says": _says(board),
        "score": board.standing(),
        "choices": [{"text": text, "squares": squares} for _, text, squares in choices],
        "board": _drawn(board, hint),
        "text": position.marked_picture(session.moves[-1] if session.moves else None),
        "hint": [] if hint is None else list(hinted(position, hint)),
        "record": session.report().as_json(),
    }


def _says(board: SessionSeries) -> str:
    """Say who moved last, and whose turn it is or how the game ended."""
    session, sentences = board.session, []
    if session.moves:
        before = session.position_before()
        side, text = before.to_move, before.write_move(session.moves[-1])
        mover = "You play" if board.is_you(side) else f"{board.who(side)} plays"
        sentences.append(f"{mover} {text}.")
    if session.record is not None:
        sentences.append(board.verdict())
    else:
        side = session.position.to_move
        sentences.append("Your turn." if board.is_you(side) else f"{board.who(side)} to move.")
    return " ".join(sentences)


def _drawn(board: SessionSeries, hint: Hint | None) -> str:
    session = board.session
    position, outcome = session.position, session.position.outcome()
    state = f"{position.to_move.letter} to move" if outcome is None else board.verdict()
    last = session.moves[-1] if session.moves else None
    targets: dict[int, str] = {}
    if session.asks_person:
        targets = _targets(position)
    return playable(position, state, last, _marks(hint), targets)


def _targets(position: Position) -> dict[int, str]:
    """Return the squares of moves with their labels: the move, where it alone begins there."""
    by_first: dict[int, list[int]] = {}
    others: dict[int, str] = {}
    for move in position.legal_moves():
        first, *more = position.move_squares(move) or (None,)
        if first is not None:
            by_first.setdefault(first, []).append(move)
        others |= dict.fromkeys(more, "")
    diagram = position.diagram()
    labels = {square: _name(diagram, square) for square in others | dict.fromkeys(by_first, "")}
    alone = {s: position.write_move(m[0]) for s, m in by_first.items() if len(m) == 1}
    return labels | alone


def _marks(hint: Hint | None) -> dict[int, str]:
    """Return a mark for each move: W3, D or L4 by its value, or ! where minimax would play."""
    if hint is None:
        return {}
    advised = () if hint.advice is None else hint.advice.moves
    marks = dict.fromkeys(advised, "!")
    for move, value in hint.values.items():
        if value is not None:
            marks[move] = "D" if not value else f"{'W' if value > 0 else 'L'}{abs(value)}"
    return marks


def _name(diagram: Diagram | None, square: int) -> str:
    """Return the name of a square by the rulers, or its number."""
    if diagram is None or not (diagram.across and diagram.down):
        return str(square + 1)
    row, column = divmod(square, diagram.columns)
    return f"{diagram.across[column]}{diagram.down[row]}"
