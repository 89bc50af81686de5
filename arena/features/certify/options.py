"""Declare the options of proofs that a player never loses."""

# Annotations are read at run time, so they are not postponed here.
import os
from fractions import Fraction
from typing import Annotated

from arena.inputs.options import GameOption, PlayerOptions, SeedOption
from arena.inputs.proof_options import POSITIONS, PositionsOption, ProofOptions, TimeOption
from arena.kinds import FILE, Ratio, Whole
from arena.proof.certificate import DEFAULT_GAMES
from arena.signatures import TOPIC_HOW, Option

#: Positions that may occur by default: they take a gigabyte.
WALK_POSITIONS = 50_000_000


class AgreementOptions(SeedOption, PlayerOptions, total=False):
    """How many games compare a player with what is proved."""

    games: Annotated[
        int,
        Option(
            DEFAULT_GAMES,
            "--games N",
            "number of real games to compare with what was proved",
            kind=Whole(0, 10**9),
        ),
    ]


class CertificateOptions(PositionsOption, AgreementOptions, total=False):
    """How a certificate is verified, and how many games compare a player with it."""


class CertifyOptions(ProofOptions, AgreementOptions, total=False):
    """How a player is proved, and how many games compare it with the proof."""


class ExploitabilityOptions(CertifyOptions, total=False):
    """How the best response to a player is found, and what is made of it."""

    at_most: Annotated[
        "Fraction | float | None",
        Option(
            None,
            "--at-most X",
            "in games with luck or secrets: exit with 1 if an opponent can win more than this per"
            " game",
            kind=Ratio(),
        ),
    ]
    output: Annotated[
        "str | os.PathLike[str] | None",
        Option(
            None,
            "--output FILE",
            "write the certificate, with all moves; in games with luck or secrets the best"
            " responses, which best-response:FILE plays",
            kind=FILE,
        ),
    ]


class WalkOptions(GameOption, PlayerOptions, TimeOption, total=False):
    """How a player is walked ply by ply, and what is kept of that."""

    max_positions: Annotated[
        int, Option(WALK_POSITIONS, "--max-positions", topic=TOPIC_HOW, kind=POSITIONS)
    ]
    certificate: Annotated[
        "str | os.PathLike[str] | None",
        Option(
            None,
            "--certificate FILE",
            "walk a large game of lines ply by ply, and write a certificate of format 2 for the"
            " sides that never lose",
            kind=FILE,
        ),
    ]
    checkpoint: Annotated[
        "str | os.PathLike[str] | None",
        Option(
            None,
            "--checkpoint FOLDER",
            "walk ply by ply, save the player's answers here, and resume from them",
            kind=FILE,
        ),
    ]
