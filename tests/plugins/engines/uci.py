"""A UCI engine for tictactoe, which misbehaves on request: ``uci.py [FAULT [SCORE]]``.

It takes the first empty square. Its fault shows at its third search. It gives all of its moves the
same score, such as ``cp -700``.
"""

import os
import subprocess
import sys
import time
from contextlib import suppress

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
SCORE = sys.argv[2] if len(sys.argv) > 2 else "cp 13"
OPTIONS = """\
option name Hash type spin default 16 min 1 max 1024
option name Ponder type check default false
option name Style type combo default Solid var Solid var Risky Attack
option name Book File type string default <empty>
option name Clear Hash type button"""


HOARD: list[bytearray] = []


def say(text: str) -> None:
    print(text, flush=True)


def hoard(most: int) -> None:
    """Take this many MiB of memory, or what there is."""
    with suppress(MemoryError):
        HOARD.extend(bytearray(1 << 20) for _ in range(most))


def misbehave(move: str) -> None:
    match FAULT:
        case "crash":
            os.abort()
        case "exit":
            sys.exit(3)
        case "hang":
            time.sleep(600)
        case "garbage":
            sys.stdout.buffer.write(b"\xff\x00\xfe bestmove\n" * 3)
            say("bestmove \x1b[31mevil")
        case "illegal":
            say("bestmove 99")
        case "none":
            say("bestmove (none)")
        case "empty":
            say("bestmove")
        case "twice":
            say(f"bestmove {move}\nbestmove {move}")
        case "chatty":
            line = "info string " + 1000 * "x"
            for _ in range(10_000):
                print(line)
            say(f"bestmove {move}")
        case "endless":
            while True:
                sys.stdout.write("x" * 4096)
        case "stderr":
            os.set_blocking(2, False)
            for _ in range(200):
                try:
                    os.write(2, b"y" * 60_000)
                except BlockingIOError:
                    time.sleep(0.001)
            say(f"bestmove {move}")
        case "stays":
            say(f"bestmove {move}")
        case "full":
            hoard(1 << 20)
            time.sleep(600)
        case "grows":
            hoard(60)
            say(f"bestmove {move}")
        case "child":
            subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
            say(f"bestmove {move}")


def main() -> None:
    board, searches = 9 * "_", 0
    if FAULT == "silent":
        time.sleep(600)
    for line in sys.stdin:
        words = line.split()
        match words[:1]:
            case ["uci"]:
                say(f"id name Misbehaving\n{OPTIONS}\nuciok")
            case ["isready"]:
                say("readyok")
            case ["position"]:
                board = 9 * "_" if words[1] == "startpos" else words[2]
                for word in words[words.index("moves") + 1 :] if "moves" in words else []:
                    at, letter = int(word) - 1, "xo"[(9 - board.count("_")) % 2]
                    board = board[:at] + letter + board[at + 1 :]
            case ["go"]:
                searches += 1
                move = str(board.index("_") + 1)
                say("info string thinking")
                say(f"info depth 1 score {SCORE} nodes 20 time 1 pv {move} 4 stop!")
                if searches == 3 and FAULT:
                    misbehave(move)
                else:
                    say(f"bestmove {move}")
            case ["quit"]:
                if FAULT != "stays":
                    return


main()
