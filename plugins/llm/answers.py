"""Read a move in what a language model wrote, without guessing."""

from __future__ import annotations

import json
import re

from arena.errors import quoted
from arena.game import Observation, Position
from arena.plugins.llm.briefing import GameWording

#: The last line of an answer. Models like to set it in bold or as code.
_LINE = re.compile(r"[*_`#> ]*MOVE[*_` ]*:(.*)", re.IGNORECASE | re.DOTALL)

#: What may stand around a move.
_AROUND = " \t*_`'\".<>[]"

#: What begins and ends a block of code.
_FENCE = "```"


class NotAMove(Exception):
    """An answer that names no legal move. ``fault`` is ``unparsable`` or ``illegal``."""

    def __init__(self, fault: str, problem: str) -> None:
        super().__init__(problem)
        self.fault, self.problem = fault, problem


def read_answer(
    text: str, form: str, position: Position | Observation, telling: GameWording
) -> int:
    """Return the move that an answer of this form, ``line`` or ``json``, names.

    Raises NotAMove for an answer that names none, more than one, or one that is not legal.
    """
    moves = {telling.word(move): move for move in position.legal_moves()}
    answer = _in_json(text) if form == "json" else _in_last_line(text)
    words = {word if word in moves else word.strip(_AROUND) or word for word in answer}
    if len(words) > 1:
        raise NotAMove("unparsable", f"it names several moves: {quoted(', '.join(sorted(words)))}")
    [word] = words
    if word in moves:
        return moves[word]
    if len(word.split()) != 1:
        raise NotAMove("unparsable", f"it wrote {quoted(word)} in the place of one move")
    move = telling.move(word)
    if move is None:
        raise NotAMove("illegal", f"{quoted(word)} is not a move of {telling.name}")
    if not position.is_legal(move):
        raise NotAMove("illegal", f"{quoted(word)} is not legal here")
    return move


def _in_last_line(text: str) -> list[str]:
    """Return what stands after each ``MOVE:``, of which one is the last line that is not blank."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        raise NotAMove("unparsable", "it wrote nothing")
    if _LINE.match(lines[-1]) is None:
        raise NotAMove("unparsable", f"its last line is {quoted(lines[-1])}, not 'MOVE: …'")
    return [match[1].strip() for line in lines if (match := _LINE.match(line))]


def _in_json(text: str) -> list[str]:
    """Return the text of ``move`` in an object that is the whole answer."""
    text = text.strip()
    if text.startswith(_FENCE) and text.endswith(_FENCE):
        text = text.strip("`").removeprefix("json").strip()
    if not text:
        raise NotAMove("unparsable", "it wrote nothing")
    try:
        answer = json.loads(text, object_pairs_hook=list)
    except (ValueError, RecursionError):
        raise NotAMove("unparsable", f"it wrote {quoted(text)}, which is not JSON") from None
    moves = [value for key, value in answer if key == "move"] if _is_object(answer, text) else []
    if not moves or not all(isinstance(word, str) for word in moves):
        raise NotAMove("unparsable", 'it wrote no object with a text as "move"')
    return [word.strip() for word in moves]


def _is_object(answer: object, text: str) -> bool:
    return isinstance(answer, list) and text.lstrip().startswith("{")
