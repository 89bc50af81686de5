"""Limit how often a stranger does something."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from ipaddress import IPv6Address, ip_address

from arena.clock import now

#: The most senders that it remembers. The one that did nothing for longest is forgotten first.
MAX_STRANGERS = 10_000

#: Bits of an IPv6 address that one stranger chooses: a network gets the rest.
OWN_BITS = 64


class Rate:
    """A rate: so often at once, and then so often a second.

    >>> rate = Rate(at_once=2, a_second=1, clock=lambda: 0)
    >>> [rate.take("anna"), rate.take("anna"), rate.take("anna"), rate.take("ben")]
    [True, True, False, True]
    """

    def __init__(self, at_once: float, a_second: float, clock: Callable[[], float] = now) -> None:
        self._most, self._a_second, self._clock = at_once, a_second, clock
        #: The allowance that each has left, and when that was so.
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def may(self, who: Hashable) -> bool:
        """Return whether the stranger may do it now."""
        return self._now(who)[0] >= 1

    def take(self, who: Hashable) -> bool:
        """Return whether the stranger may do it now, and count it if so."""
        allowance, at = self._now(who)
        self._left[who] = (allowance - 1 if allowance >= 1 else allowance), at
        self._left.move_to_end(who)
        if len(self._left) > MAX_STRANGERS:
            self._left.popitem(last=False)
        return allowance >= 1

    def _now(self, who: Hashable) -> tuple[float, float]:
        at = self._clock()
        allowance, before = self._left.get(who, (self._most, at))
        return min(self._most, allowance + self._a_second * (at - before)), at


def stranger(address: str) -> str:
    """Return what one stranger has in common whatever address it takes.

    >>> stranger("2001:db8::1:2"), stranger("192.0.2.7")
    ('2001:db8::', '192.0.2.7')
    """
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address[:100]
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(IPv6Address(int(parsed) >> OWN_BITS << OWN_BITS))
