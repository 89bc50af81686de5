"""Declare the options of a report."""

# Annotations are read at run time, so they are not postponed here.
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, TypedDict

from arena.signatures import Option

if TYPE_CHECKING:
    from arena.plugin.catalogue import Catalogue


class ReportOptions(TypedDict, total=False):
    """What a report shows of its sources."""

    runs: Annotated[
        "Sequence[int]",
        Option(
            (),
            "--run N",
            "a run of the store, as listed by: arena runs; may be given again (default: all)",
        ),
    ]
    pseudonyms: Annotated[
        bool,
        Option(
            False,
            "--pseudonyms",
            "call the entrants entrant-1, entrant-2, ... everywhere, by rank",
        ),
    ]
    catalogue: Annotated["Catalogue | None", Option()]
