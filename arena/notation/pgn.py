"""Hold a game as PGN has it, and write it (Edwards, "PGN Specification and Implementation Guide").

The movetext has whatever text the game's moves have. A move of chance has no number, and the
comment ``{chance}`` behind it. A game of another variant than chess has its
name in the tag ``Variant``, and an opening in the tag ``FEN``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from arena.dataclass import dataclass
from arena.game import CHANCE, Game, Outcome, Position, Side

#: The tags that every game has, in their order, with what they are if it is not known.
ROSTER = {
    "Event": "?",
    "Site": "?",
    "Date": "????.??.??",
    "Round": "?",
    "White": "?",
    "Black": "?",
    "Result": "*",
}
#: The result by the outcome of a game; an unfinished game has None.
RESULTS = {
    Outcome.FIRST_WINS: "1-0",
    Outcome.SECOND_WINS: "0-1",
    Outcome.DRAW: "1/2-1/2",
    None: "*",
}
OUTCOMES = {result: outcome for outcome, result in RESULTS.items()}

#: The comment on a move of chance, which has no number.
CHANCE_MARK = "chance"

#: The largest length of a line of movetext.
MAX_MOVETEXT = 79

#: The game without a tag ``Variant``.
CHESS_NAME = "chess"
#: Other names of chess in that tag.
_STANDARD = ("standard", "chess", "normal", "from position")

#: Other names of games in that tag.
_VARIANTS = dict.fromkeys(("chess960", "chess 960", "fischerandom", "fischerrandom"), "chess960")

#: The moves that lead to an opening, of which FEN says only where they end: a tag of arena's own.
_AFTER = "After"


@dataclass(frozen=True)
class PgnGame:
    """One game: its tags, the moves of its main line, and what is said of them."""

    tags: Mapping[str, str]
    moves: tuple[str, ...] = ()
    #: Comments by the number of moves before them.
    comments: tuple[tuple[int, str], ...] = ()
    #: ``1-0``, ``0-1``, ``1/2-1/2`` or ``*``.
    result: str = "*"
    #: Where the game begins in its file: the number of its first line, and the byte.
    line: int = field(default=0, compare=False)
    offset: int = field(default=0, compare=False)
    #: The seats that made the moves, -1 for chance; empty if both sides take turns.
    movers: tuple[int, ...] = field(default=(), compare=False)

    @property
    def game(self) -> str:
        """The name of the game that is played."""
        variant = self.tags.get("Variant", CHESS_NAME)
        is_chess = variant.lower() in _STANDARD
        return CHESS_NAME if is_chess else _VARIANTS.get(variant.lower(), variant)

    def begin(self, game: Game) -> Position:
        """Return the position before the first move. Raises PositionError for a bad tag FEN."""
        text = self.tags.get("FEN")
        if text is None:
            return game.start()
        after = self.tags.get(_AFTER)
        return game.parse(text if after is None else f"{text} after {after}")


def opening_tags(opening: Position) -> dict[str, str]:
    """Return the tags of a game that begins from a position."""
    board, _, after = str(opening).partition(" after ")
    return {"SetUp": "1", "FEN": board} | ({_AFTER: after} if after else {})


def write_game(game: PgnGame, ply: int = 0) -> str:
    """Return a game as text that ends with an empty line. ``ply`` is that of its first move."""
    roster = {name: game.tags.get(name, usual) for name, usual in ROSTER.items()}
    tags = {**roster, **{name: game.tags[name] for name in game.tags if name not in roster}}
    tags["Result"] = game.result
    header = "".join(f'[{name} "{_escaped(text)}"]\n' for name, text in tags.items())
    return f"{header}\n{_wrapped(_words(game, ply))}\n\n"


def _words(game: PgnGame, ply: int) -> Iterator[str]:
    """Yield the words of the movetext."""
    comments: dict[int, list[str]] = {}
    for place, text in game.comments:
        comments.setdefault(place, []).append(text)
    movers = game.movers or tuple((ply + place) % 2 for place in range(len(game.moves)))
    # The number of the last move of a player, and its side: one of the same side begins the next.
    number, last = (ply + 1) // 2, Side(1 - ply % 2)
    is_numbered = False
    for place, (move, mover) in enumerate(zip(game.moves, movers, strict=True)):
        yield from _comment(comments.get(place, ()))
        if mover == CHANCE:
            is_numbered = False  # a comment stands between the players' moves
            yield move
            yield from [f"{{{CHANCE_MARK}}}"] * (CHANCE_MARK not in comments.get(place + 1, ()))
            continue
        is_next = mover <= last
        number, last = number + is_next, Side(mover)
        if mover == Side.FIRST:
            yield f"{number}."
        elif is_next or not is_numbered or place in comments:
            yield f"{number}..."
        is_numbered = True
        yield move
    yield from _comment(comments.get(len(game.moves), ()))
    yield game.result


def _comment(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        words = [_printable(word).replace("}", ")") for word in text.split()]
        if words:
            yield from f"{{{' '.join(words)}}}".split()


def _wrapped(words: Iterable[str]) -> str:
    lines, line = [], ""
    for word in words:
        if line and len(line) + 1 + len(word) > MAX_MOVETEXT:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return "\n".join([*lines, line])


def _escaped(text: str) -> str:
    r"""Return the value of a tag without line breaks, with \ before quotes and backslashes."""
    return re.sub(r'(["\\])', r"\\\1", _printable(text))


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text)
