"""Compare observations and positions by their facts alone."""

from __future__ import annotations


class EqualByFacts:
    """The first base of a class whose values are equal if their facts are.

    The legal moves of an observation are not a fact, because they follow from the others: were they
    compared, a game could tell a secret by them.
    """

    __slots__ = ()

    @property
    def facts(self) -> tuple[object, ...]:
        """The values that are compared, the name of the game among them."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return isinstance(other, EqualByFacts) and self.facts == other.facts

    def __ne__(self, other: object) -> bool:
        return not self == other  # a tuple has its own

    def __hash__(self) -> int:
        return hash(self.facts)
