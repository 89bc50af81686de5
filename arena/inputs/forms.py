"""Hold the kinds of options that are texts of a form: the reader of a form is loaded on use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arena.dataclass import dataclass
from arena.errors import UsageError
from arena.kinds import Kind

#: The form of texts, in words, and the function that reads one or raises UsageError.
Form = tuple[str, Callable[[Any], object]]


@dataclass(frozen=True)
class Written(Kind):
    """Texts of a form. The form is loaded when the first text is read."""

    load: Callable[[], Form]

    @property
    def words(self) -> str:
        """The values that it allows, in words."""
        return self.load()[0]

    def check(self, value: Any) -> Any:
        """Return the text as it is."""
        words, read = self.load()
        try:
            read(value)
        except UsageError:
            raise ValueError(words) from None
        return value


class UntilQuestions(Kind):
    """Questions that end a tournament."""

    @property
    def words(self) -> str:
        """The values that it allows, in words."""
        return "a text, as in best"

    def check(self, value: Any) -> str:
        """Return the question as it is. Raises UsageError for one that a tournament cannot have."""
        from arena.records.until import OF_TOURNAMENTS, read_until  # few runs have a question

        if not isinstance(value, str):
            raise ValueError(self.words)
        read_until(value, OF_TOURNAMENTS)
        return value


def resign_form() -> Form:
    """Return the form of the rule by which a side resigns."""
    from arena.records.adjudication import RESIGN_FORM, ResignRule  # few runs have such a rule

    return RESIGN_FORM, ResignRule.read


def draw_form() -> Form:
    """Return the form of the rule by which a game is drawn."""
    from arena.records.adjudication import DRAW_FORM, DrawRule  # few runs have such a rule

    return DRAW_FORM, DrawRule.read
