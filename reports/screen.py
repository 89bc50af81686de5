"""Describe the place that text goes to: its width, and whether it has colours."""

from __future__ import annotations

from arena.dataclass import dataclass
from arena.reports.cells import Tone

#: The columns of a screen whose width is not known.
DEFAULT_WIDTH = 80

#: The codes of ECMA-48 for each meaning. Every terminal shows these colours on light and dark.
_CODES = {
    Tone.GOOD: "32",
    Tone.BAD: "31",
    Tone.DOUBT: "33",
    Tone.FIRST: "1;36",
    Tone.SECOND: "1;35",
}


@dataclass(frozen=True)
class Screen:
    """A place for text: by default a pipe or a file."""

    width: int = DEFAULT_WIDTH
    has_colours: bool = False
    #: A terminal breaks long lines anywhere if they are not broken before.
    is_terminal: bool = False

    def paint(self, text: str, tone: Tone | None) -> str:
        r"""Return escaped text in the colour of its meaning.

        >>> Screen(has_colours=True).paint("3", Tone.GOOD), Screen().paint("3", Tone.GOOD)
        ('\x1b[32m3\x1b[0m', '3')
        """
        if tone is None or not self.has_colours or not text.strip():
            return text
        return f"\x1b[{_CODES[tone]}m{text}\x1b[0m"

    def board(self, text: str) -> str:
        """Return a board with the stones of both sides in their colours.

        Only a line whose letters are all stones is a row of the board. Rulers have other letters.
        """
        return "\n".join(map(self._row, text.split("\n"))) if self.has_colours else text

    def _row(self, line: str) -> str:
        if {c for c in line.lower() if c.isalpha()} - {"x", "o"}:  # capitals decided the game
            return line
        sides = {"x": Tone.FIRST, "o": Tone.SECOND}
        return "".join(self.paint(c, sides.get(c.lower())) for c in line)


#: A pipe, or a file.
PIPE = Screen()
