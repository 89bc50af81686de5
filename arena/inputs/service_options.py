"""Declare the options of runs with language models: how many games at once, money, answers."""

# Annotations are read at run time, so they are not postponed here.
from typing import Annotated, Any, TypedDict

from arena.errors import UsageError
from arena.kinds import FILE, Kind, Whole
from arena.signatures import TOPIC_HOW, TOPIC_KEPT, TOPIC_OVER, Option

#: Games of language models that are played at once, if the user does not say how many.
DEFAULT_IN_FLIGHT = 8

#: More games at once are slips.
MAX_IN_FLIGHT = 1024


class Budget(Kind):
    """Amounts of money with a currency, as texts."""

    @property
    def words(self) -> str:
        """The values that it allows, in words."""
        from arena.player.purse import BUDGET_FORM  # few runs have a budget

        return BUDGET_FORM

    def check(self, value: Any) -> str:
        """Return the text as it is."""
        from arena.player.purse import read_budget

        try:
            read_budget(value)
        except UsageError:
            raise ValueError(self.words) from None
        text: str = value
        return text


class ServiceOptions(TypedDict, total=False):
    """How language models are asked in a run, and what they may cost."""

    in_flight: Annotated[
        int | None,
        Option(
            None,
            "--in-flight GAMES",
            "number of games of language models to play at once, in one process"
            f" (default: -j, or {DEFAULT_IN_FLIGHT})",
            TOPIC_HOW,
            kind=Whole(1, MAX_IN_FLIGHT),
        ),
    ]
    budget: Annotated[
        str | None,
        Option(
            None,
            "--budget MONEY",
            "5USD: end when language models have cost this much, by the prices of their options",
            TOPIC_OVER,
            kind=Budget(),
        ),
    ]
    record: Annotated[
        str | None,
        Option(
            None,
            "--record FILE",
            "keep the answers of language models in a file, and take those that it has"
            " (default: STORE.answers with --store)",
            TOPIC_KEPT,
            kind=FILE,
        ),
    ]
    replay_only: Annotated[
        bool,
        Option(
            False,
            "--replay-only",
            "ask no language model: take all answers from the file of --record",
            TOPIC_KEPT,
        ),
    ]
