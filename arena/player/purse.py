"""Keep the money that players may spend in a run, and what they spent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
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
        #: What answers cost, and what those cost that were used: recorded ones as when they came.
        self.spent = self.used = Fraction(0)
        self._dearest = Fraction(0)
        self._open_requests = 0

    def has_money(self) -> bool:
        """Return whether one request more may be made besides those that are made.

        Each is taken for as dear as the dearest so far. Raises OutOfBudget if all is spent.
        """
        if self.budget is None:
            return True
        if self.spent >= self.budget:
            self.spend_up()
        return (
            not self._open_requests
            or self.spent + (self._open_requests + 1) * self._dearest <= self.budget
        )

    def spend_up(self) -> NoReturn:
        """Raise OutOfBudget: what is left does not suffice."""
        assert self.budget is not None
        spent = f"{money(self.spent)} of {money(self.budget)} {self.currency}"
        raise OutOfBudget(f"the budget ends the run: {spent} are spent")

    @contextmanager
    def requesting(self) -> Iterator[None]:
        """Note that a request is made meanwhile."""
        self._open_requests += 1
        try:
            yield
        finally:
            self._open_requests -= 1

    def pay(self, cost: Fraction) -> None:
        """Note what an answer cost."""
        self.spent += cost
        self._dearest = max(self._dearest, cost)

    def use(self, cost: Fraction) -> None:
        """Note what an answer is worth that is used, a recorded one too."""
        self.used += cost


@runtime_checkable
class PaidPlayer(Protocol):
    """A player that costs money."""

    def pay_from(self, purse: Purse) -> None:
        """Take money from this purse from now on. Raises UsageError if it does not know its cost
        and the purse is limited.
        """

    def require_prices(self, what: str) -> None:
        """Raise UsageError if it does not know its cost, which is for what this says."""


def read_budget(text: object) -> Purse:
    """Return the purse of ``5USD``. Raises UsageError for another text.

    >>> read_budget("2.50EUR").budget, read_budget("2.50 EUR").currency
    (Fraction(5, 2), 'EUR')
    """
    match = _AMOUNT.fullmatch(text) if isinstance(text, str) else None
    if match is None or not Fraction(match[1]):
        amount = quoted(text if isinstance(text, str) else repr(text))
        raise UsageError(f"a budget must be {BUDGET_FORM}, not {amount}")
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
