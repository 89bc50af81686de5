"""Define the defaults and the choices of options that rooms of the engine use as well."""

from __future__ import annotations

import sys

#: The values of ``--adjudicate``.
ADJUDICATE = ("none", "draws")

#: The values of ``--count-forfeits``.
COUNT_FORFEITS = ("all", "none")

#: The default of ``--count-forfeits``.
DEFAULT_COUNT_FORFEITS = "all"

#: The values of ``--deals``: both games of a pair have the same luck, or each has its own.
DEALS = DUPLICATE, INDEPENDENT = "duplicate", "independent"

#: The most seconds of ``--wait``: an hour.
MAX_WAIT = 3600

#: The values of ``--luck``: payoffs as they are, or without what luck brought.
LUCKS = RAW_LUCK, CORRECTED_LUCK = "raw", "corrected"

#: The probabilities that an interval is wrong, or that a test accepts H1 wrongly, and that it
#: accepts H0 wrongly, by default.
DEFAULT_ALPHA, DEFAULT_BETA = 0.05, 0.05

#: Points a game by which entrants may differ and count as equal, by default.
DEFAULT_MARGIN = 0.02

#: Default number of positions that a calculation may reach.
MAX_POSITIONS = 1_000_000

#: Whether worker processes can answer here: Windows has no pipes that are read without waiting.
HAS_WORKERS = sys.platform != "win32"

#: The name of the executor that plays by default.
DEFAULT_EXECUTOR = "processes" if HAS_WORKERS else "serial"

#: The game that is meant when none is named.
DEFAULT_GAME = "tictactoe"

#: The environment variable that names the store when no option does.
STORE = "ARENA_STORE"

#: Seconds of a process that a part takes which a volunteer plays.
VOLUNTEER_PART_SECONDS = 2.0
