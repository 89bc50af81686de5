"""Walk through the Universal Chess Interface with an engine, step by step, for ``arena check``.

The steps are those of fastchess's ``--compliance``, and the ones that arena relies on besides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise

from arena.clock import sleep
from arena.errors import ArenaError, Forfeited, quoted
from arena.game import Game
from arena.player.clients import ProtocolStep, Talk

#: White and Black to move, and positions with castling, a promotion and a move en passant.
WHITE = "3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27"
BLACK = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
PROMOTION = "8/P7/8/8/8/8/8/k1K5 w - - 0 1"
EN_PASSANT = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"

#: Milliseconds on the clocks, and seconds in which an engine has to answer then.
CLOCK, CLOCK_SECONDS = 100, 0.1

#: Seconds of the search without end, and of another one where the machine was too busy for a move.
SEARCH_SECONDS, SECOND_SEARCH_SECONDS = 0.2, 2.0

#: The fields of ``info`` that are whole numbers.
INFO_NUMBERS = ("depth", "seldepth", "time", "nodes", "nps", "multipv", "cp", "mate", "hashfull")

#: The kinds of options.
OPTION_KINDS = ("check", "spin", "combo", "button", "string")

#: Lines that an engine may say before its move: an engine that says more does not come to an end.
MAX_ANSWER_LINES = 100_000


def steps(game: Game, name: str, author: str, options: Sequence[str]) -> Iterator[ProtocolStep]:
    """Yield the steps for an engine that was greeted and said these things of itself."""
    yield ProtocolStep("id name", lambda _: "" if name else "it gives no name: id name NAME")
    yield ProtocolStep(
        "id author", lambda _: "" if author else "it names no author: id author AUTHOR"
    )
    yield ProtocolStep("options", lambda _: next(filter(None, map(_option_problem, options)), ""))
    yield ProtocolStep("ucinewgame", partial(_ready, "ucinewgame"))
    yield ProtocolStep("position startpos", partial(_ready, "position startpos"))
    yield ProtocolStep("position fen", partial(_ready, f"position fen {WHITE}"))
    search = partial(_search, game)
    times = f"wtime {CLOCK} btime {CLOCK}"
    for step, position, go in (
        ("go wtime", f"fen {WHITE}", f"go wtime {CLOCK}"),
        ("go btime", f"fen {BLACK}", f"go btime {CLOCK}"),
        ("go with increments", f"fen {BLACK}", f"go {times} winc {CLOCK} binc {CLOCK}"),
        ("go in another order", f"fen {BLACK}", f"go binc {CLOCK} winc {CLOCK} {times}"),
        ("go movestogo", "startpos", f"go {times} movestogo 10"),
        ("position with moves", "startpos moves e2e4 e7e5", f"go {times}"),
    ):
        yield ProtocolStep(step, partial(search, position, go), CLOCK_SECONDS)
    yield ProtocolStep("go movetime", partial(search, "startpos", f"go movetime {CLOCK}"))
    yield ProtocolStep("go depth", partial(search, "startpos", "go depth 1"))
    yield ProtocolStep("go nodes", partial(search, "startpos", "go nodes 100"))
    for step, fen in (
        ("castling", CASTLING),
        ("promotion", PROMOTION),
        ("en passant", EN_PASSANT),
    ):
        yield ProtocolStep(step, partial(search, f"fen {fen}", "go depth 1"))
    yield ProtocolStep("isready in a search", _ready_in_a_search)
    yield ProtocolStep("stop", partial(_stop, game))
    yield ProtocolStep("quit", _quit)


def _option_problem(line: str) -> str:
    """Return what is wrong with ``option name Hash type spin default 16 min 1 max 1024``."""
    name, _, rest = line.removeprefix("option name ").partition(" type ")
    words = rest.split()
    if not words or words[0] not in OPTION_KINDS:
        return f"option {quoted(name)} has no type of {', '.join(OPTION_KINDS)}"
    fields = dict(pairwise(words))
    if words[0] == "spin":
        try:
            least, usual, most = (int(fields[field]) for field in ("min", "default", "max"))
        except (KeyError, ValueError):
            return f"option {quoted(name)} does not say whole numbers as default, min and max"
        if not least <= usual <= most:
            return f"option {quoted(name)} has default {usual}, which is not in {least} to {most}"
    if words[0] == "check" and fields.get("default") not in ("true", "false"):
        return f"option {quoted(name)} has no default true or false"
    if words[0] == "combo":
        choices = [part.strip() for part in f" {rest} ".split(" var ")]
        if choices[0].partition("default ")[2].strip() not in choices[1:]:
            return f"option {quoted(name)} has a default that is not one of its var"
    return ""


def _ready(line: str, talk: Talk) -> str:
    """Say a line, and wait until the engine is ready again."""
    talk.say(line, *["isready"] * (line != "isready"))
    while (answer := talk.hear().strip()) != "readyok":
        if answer.startswith("bestmove"):
            return f"answered {quoted(answer)} to {quoted(line)}"
    return ""


def _search(game: Game, position: str, go: str, talk: Talk) -> str:
    """Ask for a move, which has to be legal. The lines before it have to be readable."""
    talk.say("ucinewgame", f"position {position}", go)
    has_score, problem = False, ""
    for _ in range(MAX_ANSWER_LINES):
        words = talk.hear().split()
        if words[:1] == ["bestmove"]:
            break
        if words[:1] == ["info"] and "string" not in words:
            has_score |= "score" in words
            problem = problem or _info_problem(words)
    else:
        return f"said {MAX_ANSWER_LINES} lines and no bestmove"
    problem = _move_problem(game, position, words) or problem
    if problem:
        return problem
    return "" if has_score else "said no info line with a score"


def _info_problem(words: list[str]) -> str:
    """Return what is wrong with the numbers of ``info depth 12 score cp 13 nodes 5000``."""
    for name, value in pairwise(words):
        if name in INFO_NUMBERS and not value.removeprefix("-").isdecimal():
            return f"said {quoted(' '.join(words))}, whose {name} is not a whole number"
    return ""


def _move_problem(game: Game, position: str, words: list[str]) -> str:
    """Return what is wrong with ``bestmove e2e4`` at a position."""
    kind, _, rest = position.partition(" ")
    board = game.start() if kind == "startpos" else game.parse(rest)
    for text in rest.removeprefix("moves ").split() if kind == "startpos" else ():
        board = board.play(game.parse_move(text))
    try:
        move = game.parse_move(words[1] if len(words) > 1 else "")
        is_legal = move in board.legal_moves()
    except ArenaError:
        is_legal = False
    return "" if is_legal else f"answered {quoted(' '.join(words))}, which is not a legal move"


def _ready_in_a_search(talk: Talk) -> str:
    """Let the engine search without end, in which it has to answer ``isready``."""
    problem = _ready("position startpos", talk)
    talk.say("go infinite")
    return problem or _ready("isready", talk)


def _stop(game: Game, talk: Talk) -> str:
    """End the search without end. An engine that had found no move in it searches again, longer.

    Ethereal answers ``a1a1`` if it is stopped before its first depth is complete.
    """
    problem, has_line = _stop_after(SEARCH_SECONDS, game, talk)
    if problem and not has_line:
        talk.say("go infinite")
        problem, _ = _stop_after(SECOND_SEARCH_SECONDS, game, talk)
    return problem


def _stop_after(seconds: float, game: Game, talk: Talk) -> tuple[str, bool]:
    """Stop a search, and return what is wrong with the move, and whether it told a line before.

    The engine may have been paused after the step before this. To answer ``isready`` it goes on.
    """
    if problem := _ready("isready", talk):
        return problem, True
    sleep(seconds)
    talk.say("stop")
    has_line = False
    for _ in range(MAX_ANSWER_LINES):
        words = talk.hear().split()
        if words[:1] == ["bestmove"]:
            problem = _move_problem(game, "startpos", words)
            return problem and f"stopped after {seconds:g} s, it {problem}", has_line
        has_line |= words[:1] == ["info"] and "pv" in words
    return f"said {MAX_ANSWER_LINES} lines and no bestmove", True


def _quit(talk: Talk) -> str:
    """Tell the engine to end itself."""
    talk.say("quit")
    try:
        for _ in range(MAX_ANSWER_LINES):
            talk.hear()
    except Forfeited as error:
        return "" if error.reason == "crash" else "goes on after quit"
    return "goes on after quit"
