"""Keep the money that players may spend in a run, and what they spent."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NoReturn, Protocol, runtime_checkable

from arena.errors import OutOfBudget, UsageError, quoted

#: An amount with its currency: ``5USD``, ``0.5 EUR``.
_AMOUNT = re.compile(r"(\d{1,12}(?:\.\d{1,12})?) ?([A-Za-z]{1,8})", re.ASCII)


#: What a budget must be, for messages.
BUDGET_FORM = "an amount with its currency, such as 5USD"


class Purse:
    """The money of a run, which all its players take from."""

    def __init__(self, budget: Fraction | None = None, currency: str = "") -> None:
        self.budget, self.currency = budget, currency
        self.spent = Fraction(0)

    def require_money(self) -> None:
        """Raise OutOfBudget if all is spent."""
        if self.budget is not None and self.spent >= self.budget:
            self.spend_up()

    def spend_up(self) -> NoReturn:
        """Raise OutOfBudget: what is left does not suffice."""
        assert self.budget is not None
        spent = f"{money(self.spent)} of {money(self.budget)} {self.currency}"
        raise OutOfBudget(f"the budget ends the games: {spent} are spent")

    def pay(self, cost: Fraction) -> None:
        """Note what an answer cost."""
        self.spent += cost


@runtime_checkable
class Paying(Protocol):
    """A player that costs money."""

    def pay_from(self, purse: Purse) -> None:
        """Take money from this purse from now on. Raises UsageError if it does not know its cost
        and the purse is limited.
        """


def read_budget(text: object) -> Purse:
    """Return the purse of ``5USD``. Raises UsageError for another text.

    >>> read_budget("2.50EUR").budget, read_budget("2.50 EUR").currency
    (Fraction(5, 2), 'EUR')
    """
    match = _AMOUNT.fullmatch(text) if isinstance(text, str) else None
    if match is None or not Fraction(match[1]):
        shown = quoted(text if isinstance(text, str) else repr(text))
        raise UsageError(f"a budget must be {BUDGET_FORM}, not {shown}")
    return Purse(Fraction(match[1]), match[2].upper())


def money(amount: Fraction) -> str:
    """Return an amount of money with four digits that count, or all of those before the point.

    >>> money(Fraction(5)), money(Fraction(1, 3)), money(Fraction(123456, 10))
    ('5', '0.3333', '12345.6')
    """
    value = float(amount)
    digits = 4 if value < 1000 else 1
    text = f"{value:.{digits}g}" if value < 1000 else f"{value:.{digits}f}"
    return f"{float(text):.10f}".rstrip("0").rstrip(".")
