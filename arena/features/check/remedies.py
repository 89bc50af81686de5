"""Say what to write where a check of a player finds something."""

from __future__ import annotations

from dataclasses import replace

from arena.features.check.record import Finding, Level
from arena.sandbox.denied_hints import remedy_of_hint

#: The remedies of findings, by check and level. Other findings say it themselves.
REMEDIES = {
    ("position", Level.FAIL): "position.play(move) returns another position to try moves on",
    ("global random", Level.FAIL): "Draw from rng, its second argument: rng.choice(moves)",
    ("plain ints", Level.WARNING): "Return int(move)",
    ("output", Level.WARNING): "arena replay shows it; leave it out in the end",
    ("memory", Level.WARNING): "Keep what lasts a game in a class with start and choose",
    (
        "same seed",
        Level.FAIL,
    ): "Draw from rng alone, not from the time, id() or another generator",
    ("stateless", Level.FAIL): (
        "Keep nothing between two calls, or write a class with start and choose"
    ),
    ("separate games", Level.FAIL): "Begin every game afresh in start(game, side, rng)",
    (
        "fresh process",
        Level.FAIL,
    ): "Sort a set before going through it; hash() of a text differs",
    ("deterministic", Level.FAIL): "Leave deterministic=True out, or draw nothing",
    (
        "distribution",
        Level.FAIL,
    ): "Return the probability of every move that choose may make",
    ("games", Level.FAIL): "Leave the game out of games=, or mend the player",
    ("claims", Level.FAIL): "Leave the claim out, or mend the player",
}


#: The remedies of findings about engines, where they are others.
OF_ENGINES = {
    ("same seed", Level.FAIL): (
        "An engine that thinks for some time plays as the machine lets it: limit its search, as in"
        " uci,nodes=1000:stockfish, or a GTP engine's by its command"
    )
}


#: The remedies of faults, where the fault does not tell its own. The message need not have them.
OF_FAULTS = {
    "illegal": "Return one of position.legal_moves(), at every position",
    "exception": (
        "Mend the line that the message names, or return a legal move where it cannot go on"
    ),
    "timeout": "Answer within the time for a move: look at fewer positions, or stop by the clock",
    "budget": "Use less time in all: the time of a game is that of all its moves",
    "memory": "Keep less in memory, and nothing that a game does not need",
    "crash": "Leave out what ends the process: sys.exit, os.abort, deep recursion, native code",
    "protocol": "Write nothing but answers to standard output, one line for each question",
    "off-turn": "Compute in choose alone, and start no thread that goes on after it",
    "import-error": "Import the standard library, or hand the module in beside bot.py in one zip",
}


def with_remedy(finding: Finding, is_engine: bool) -> Finding:
    """Return the finding with what to do, if something is wrong and that is known."""
    if finding.fault:
        usual = remedy_of_hint(finding.message) or OF_FAULTS.get(finding.fault, "")
        more = f"{usual}. {finding.remedy}" if finding.fault == "illegal" else finding.remedy
        return replace(finding, remedy=more if finding.remedy else usual)
    key = finding.check, finding.level
    remedy = (OF_ENGINES if is_engine else {}).get(key) or REMEDIES.get(key)
    if remedy is None:
        return finding
    return replace(finding, message=f"{finding.message}. {remedy}", remedy=remedy)
