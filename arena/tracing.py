"""Trace what a player does with the numbers that it draws.

A player that blunders with ``rng.randrange(1000) < 10`` asks one thing of its draw: whether it is
below 10. For an enumeration that is a draw of two outcomes, with the probabilities 1/100 and
99/100. A :class:`TracedStream` answers such a player with numbers that note the comparisons, and so
the range of values that would have made no difference. Any other use of a number, such as an index,
counts as a use of its value.

Games are never played with these numbers. A player is asked again with ordinary ones, and must then
move as it did.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from arena.rng import FLOAT, Draw, SeenPart, Stream

if TYPE_CHECKING:
    from _typeshed import SupportsLenAndGetItem

RealNumber: TypeAlias = "int | float"

#: The bits of the float that ``random()`` draws, and the draw as a stream notes it.
FLOAT_BITS = 53
FLOAT_DRAW = -FLOAT_BITS


class Trace:
    """The uses of one draw: the range of values that the player cannot tell from the drawn one."""

    __slots__ = ("draw", "high", "is_used", "low", "value")

    def __init__(self, draw: int, value: int, size: int) -> None:
        self.draw, self.value = draw, value
        self.low, self.high = 0, size
        #: Whether the value itself was used, not only compared.
        self.is_used = False

    @property
    def noted(self) -> Draw:
        """The draw as an enumeration needs it."""
        if self.is_used:
            return FLOAT if self.draw == FLOAT_DRAW else self.draw
        return SeenPart(self.draw, self.low, self.high)

    def is_below(self, holds: Callable[[int], bool]) -> bool:
        """Return whether a condition holds that holds for the values below some value, and note it.

        A search finds that value, so that rounding cannot make the range wrong.
        """
        low, high = self.low, self.high
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if holds(middle) else (low, middle)
        if self.value < low:
            self.high = low
            return True
        self.low = low
        return False


def noted(draws: Iterable[Any]) -> list[Draw]:
    """Return the draws of a stream as an enumeration needs them."""
    return [draw.noted if type(draw) is Trace else draw for draw in draws]


class TracedNumber:
    """A number that was drawn: it looks like an int or a float, and notes what is done with it.

    It is a non-decreasing function of the value of its draw, such as ``1 + value``.
    """

    __slots__ = ("_number_of", "_trace")

    def __init__(self, trace: Trace, number_of: Callable[[int], RealNumber]) -> None:
        self._trace, self._number_of = trace, number_of

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return type(self._number_of(self._trace.value))

    def _use(self) -> RealNumber:
        self._trace.is_used = True
        return self._number_of(self._trace.value)

    def _compared(self, compare: Callable[[RealNumber, RealNumber], bool], other: object) -> Any:
        """Return whether it is below another number, or at most that number."""
        if type(other) is TracedNumber:
            other = other._use()
        if not isinstance(other, int | float):
            return NotImplemented
        if math.isnan(other):
            return False
        number_of = self._number_of
        return self._trace.is_below(lambda value: compare(number_of(value), other))

    def __lt__(self, other: object) -> Any:
        return self._compared(operator.lt, other)

    def __le__(self, other: object) -> Any:
        return self._compared(operator.le, other)

    def __gt__(self, other: object) -> Any:
        return _negated(self._compared(operator.le, other), other)

    def __ge__(self, other: object) -> Any:
        return _negated(self._compared(operator.lt, other), other)

    def __eq__(self, other: object) -> Any:
        is_at_most = self._compared(operator.le, other)
        return (
            _negated(self._compared(operator.lt, other), other)
            if is_at_most is True
            else (is_at_most)
        )

    def __ne__(self, other: object) -> Any:
        is_equal = self.__eq__(other)
        return is_equal if is_equal is NotImplemented else not is_equal

    def __bool__(self) -> bool:
        return bool(self != 0)

    def __hash__(self) -> int:
        return hash(self._use())

    def _moved(self, change: Callable[[RealNumber], RealNumber]) -> TracedNumber:
        """Return the number after a change that keeps the order of numbers."""
        number_of = self._number_of
        return TracedNumber(self._trace, lambda value: change(number_of(value)))

    def __add__(self, other: Any) -> Any:
        if _is_finite(other):
            return self._moved(lambda number: number + other)
        return self._use() + _plain(other)

    def __radd__(self, other: Any) -> Any:
        return self + other if _is_finite(other) else other + self._use()

    def __sub__(self, other: Any) -> Any:
        if _is_finite(other):
            return self._moved(lambda number: number - other)
        return self._use() - _plain(other)

    def __mul__(self, other: Any) -> Any:
        if _is_finite(other) and other > 0:
            return self._moved(lambda number: number * other)
        return self._use() * _plain(other)

    def __rmul__(self, other: Any) -> Any:
        return self * other if _is_finite(other) and other > 0 else other * self._use()

    def __truediv__(self, other: Any) -> Any:
        if _is_finite(other) and other > 0:
            return self._moved(lambda number: number / other)
        return self._use() / _plain(other)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._use(), name)

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        number = self._use()
        return type(number), (number,)


def _negated(answer: Any, other: object) -> Any:
    """Return the opposite of an answer. Nothing is above or below what is not a number."""
    if answer is NotImplemented or (isinstance(other, float) and math.isnan(other)):
        return answer
    return not answer


def _is_finite(other: object) -> bool:
    return type(other) is int or (type(other) is float and math.isfinite(other))


def _plain(other: Any) -> Any:
    return other._use() if type(other) is TracedNumber else other


def _using(function: Callable[..., Any], is_reflected: bool = False) -> Callable[..., Any]:
    """Return a method that uses the value."""

    def method(self: TracedNumber, *others: Any) -> Any:
        operands = (self._use(), *map(_plain, others))
        return function(*(operands[::-1] if is_reflected else operands))

    return method


#: What needs the value: conversions, and the operations that may change the order of numbers.
_CONVERSIONS: dict[str, Callable[..., Any]] = {
    "index": operator.index, "int": int, "float": float, "complex": complex, "repr": repr,
    "str": str, "format": format, "round": round, "trunc": math.trunc, "floor": math.floor,
    "ceil": math.ceil, "neg": operator.neg, "pos": operator.pos, "abs": abs,
    "invert": operator.invert,
}  # fmt: skip
_OPERATIONS: dict[str, Callable[..., Any]] = {
    "floordiv": operator.floordiv, "mod": operator.mod, "divmod": divmod, "pow": pow,
    "lshift": operator.lshift, "rshift": operator.rshift, "and": operator.and_,
    "or": operator.or_, "xor": operator.xor,
}  # fmt: skip
for _name, _function in {**_CONVERSIONS, **_OPERATIONS}.items():
    setattr(TracedNumber, f"__{_name}__", _using(_function))
for _name, _function in {**_OPERATIONS, "sub": operator.sub, "truediv": operator.truediv}.items():
    setattr(TracedNumber, f"__r{_name}__", _using(_function, is_reflected=True))


class TracedStream(Stream):
    """A stream whose ``randrange``, ``randint``, ``uniform`` and ``random`` return traced numbers.

    All else draws as in any stream.
    """

    is_traced = True

    __slots__ = ("_is_plain",)

    def begin(self, first_bits: int) -> None:
        """Restart as the stream of these bits."""
        super().begin(first_bits)
        self._is_plain = False

    def _randbelow(self, n: int) -> Any:
        drawn = super()._randbelow(n)
        if self._is_plain or self.draws[-1:] != [n]:  # the stream has become a twister
            return drawn
        return self._traced(n, drawn, n, int)

    def random(self) -> Any:
        """Return a float in [0, 1) with 53 random bits, which is traced."""
        drawn = super().random()
        if self._is_plain or self.draws[-1:] != [FLOAT]:
            return drawn
        value = int(drawn * (1 << FLOAT_BITS))
        return self._traced(FLOAT_DRAW, value, 1 << FLOAT_BITS, _float_of)

    def choices(
        self,
        population: SupportsLenAndGetItem[Any],
        weights: Iterable[Any] | None = None,
        *,
        cum_weights: Iterable[Any] | None = None,
        k: int = 1,
    ) -> list[Any]:
        """Draw as in any stream, which notes the weights."""
        self._is_plain = True
        try:
            return super().choices(population, weights, cum_weights=cum_weights, k=k)
        finally:
            self._is_plain = False

    def sample(
        self, population: Sequence[Any], k: int, *, counts: Iterable[int] | None = None
    ) -> list[Any]:
        """Draw as in any stream: the values are places."""
        self._is_plain = True
        try:
            return super().sample(population, k, counts=counts)
        finally:
            self._is_plain = False

    def _traced(
        self, draw: int, value: int, size: int, number_of: Callable[[int], RealNumber]
    ) -> TracedNumber:
        trace = Trace(draw, value, size)
        self.draws[-1] = trace  # type: ignore[call-overload]
        return TracedNumber(trace, number_of)


def _float_of(value: int) -> float:
    return value * 2.0**-FLOAT_BITS
