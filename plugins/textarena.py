"""Play with agents as they are in TextArena, ``textarena:./agent.py``, at arena's own games.

An agent is the last callable thing that its file defines, ``agent(observation)``, or a class whose
objects are called so. It gets a text that it answers with a text, and its move stands in brackets:
``I take the centre: [5]``. At the environments themselves arena.plugins.agent_file runs it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

from arena.errors import NoMove, quoted, repr_of
from arena.game import Game, Side
from arena.plugins.agent_file import last_callable, seeded_agent
from arena.plugins.llm.briefing import GameWording, telling_of

#: A text in brackets.
_BRACKETED = re.compile(r"\[([^\[\]]*)\]")

#: The most characters of an answer without a move that the fault shows.
_SHOWN_ANSWER = 200


class TextAgent:
    """The stateful player that plays one game as the agent in a file."""

    def __init__(self, path: str, is_isolated: bool) -> None:
        self._path, self._is_isolated = path, is_isolated
        self._agent: Callable[[str], Any] | None = None
        self._telling: GameWording | None = None
        self._seat = 0

    def start(self, game: Game, side: Side, rng: random.Random) -> None:
        """Execute the file. In a process of its own the shared generators are seeded."""
        seed = rng.getrandbits(32)
        agent = seeded_agent(self._path, seed) if self._is_isolated else last_callable(self._path)
        self._agent = agent() if isinstance(agent, type) else agent
        self._telling, self._seat = telling_of(game, None), int(side)

    def choose(self, observation: Any) -> Any:
        """Return the last legal move in brackets, or why there is none."""
        assert self._agent is not None
        assert self._telling is not None
        answer = self._agent(observation_of(self._telling, self._seat, observation))
        if not isinstance(answer, str):
            return NoMove(f"answered {repr_of(answer)}, which is not a text")
        legal = {self._telling.word(move): move for move in observation.legal_moves()}
        words = (word.strip() for word in reversed(_BRACKETED.findall(answer)))
        move = next((legal[word] for word in words if word in legal), None)
        excerpt = quoted(answer[-_SHOWN_ANSWER:])
        return NoMove(f"answered {excerpt}: no legal move in brackets") if move is None else move


def observation_of(telling: GameWording, seat: int, seen: Any) -> str:
    """Return what an agent reads before a move: the rules, the board and the legal moves.

    Seats are numbered from 0, as TextArena does.
    """
    legal = [f"[{word}]" for word in telling.words(seen.legal_moves())]
    text, picture = telling.text(seen), telling.picture(seen)
    board = "" if picture == text else f"{picture}\n\n"
    return (
        f"[GAME] You are Player {seat} in a game of {telling.name} for {telling.game.seats}.\n"
        f"{telling.guide}\n"
        f"Answer with a legal move in brackets, such as '{legal[0]}'.\n\n"
        f"[GAME] What you see: {text}\n\n{board}Legal moves: {' '.join(legal)}"
    )
