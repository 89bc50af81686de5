"""Declare the options of exams."""

# Annotations are read at run time, so they are not postponed here.
import os
from typing import Annotated

from arena.inputs.options import GameOptions, PlayerOptions
from arena.inputs.proof_options import POSITIONS, TimeOption
from arena.inputs.service_options import ServiceOptions
from arena.kinds import FILE, Whole
from arena.signatures import TOPIC_HOW, Option

#: Positions that a search looks at to value one move.
MAX_EXAM_POSITIONS = 20_000


class ExamOptions(GameOptions, PlayerOptions, ServiceOptions, TimeOption, total=False):
    """The questions of an exam, and how their answers are valued."""

    questions: Annotated[
        int,
        Option(
            100,
            "--questions N",
            "draw this many questions; a game that does not have more is examined as a whole",
            kind=Whole(1, 10**6),
        ),
    ]
    certificate: Annotated[
        "str | os.PathLike[str] | None",
        Option(
            None,
            "--certificate FILE",
            "value moves by the strategies in this file, which arena solve wrote, in a game with"
            " secrets",
            kind=FILE,
        ),
    ]
    max_positions: Annotated[
        int | None,
        Option(
            None,
            "--max-positions N",
            f"search this many positions to value a move (default: {MAX_EXAM_POSITIONS});"
            " with luck or secrets give up after this many (default: as many as fit into a"
            " gigabyte)",
            TOPIC_HOW,
            kind=POSITIONS,
        ),
    ]
