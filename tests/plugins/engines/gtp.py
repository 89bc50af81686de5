"""A GTP engine for boards of any size, which misbehaves on request: ``gtp.py [FAULT]``.

It plays the first empty point. Its fault shows at its third move.
"""

import sys
import time

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
COLUMNS = "abcdefghjklmnopqrst"


def answer(text: str, sign: str = "=") -> None:
    print(f"{sign} {text}\n", flush=True)


def main() -> None:
    size, moves = 19, 0
    taken: set[str] = set()
    for line in sys.stdin:
        match line.split():
            case ["protocol_version"]:
                answer("2")
            case ["name"]:
                answer("Points")
            case ["version"]:
                answer("unknown command", "?")
            case ["boardsize", number]:
                size = int(number)
                answer("")
            case ["clear_board"]:
                taken, moves = set(), 0
                answer("")
            case ["play", _, vertex]:
                taken.add(vertex)
                answer("")
            case ["genmove", _]:
                moves += 1
                points = (
                    f"{column}{row}" for row in range(1, size + 1) for column in COLUMNS[:size]
                )
                vertex = next((point for point in points if point not in taken), "pass")
                match FAULT if moves == 3 else "":
                    case "hang":
                        time.sleep(600)
                    case "resign":
                        vertex = "RESIGN"
                    case "illegal":
                        vertex = next(iter(taken))
                    case "refuse":
                        answer("no idea", "?")
                        continue
                    case "garbage":
                        print("\x1b[2J???", flush=True)
                        continue
                taken.add(vertex)
                answer(vertex.upper())
            case _:
                answer("unknown command", "?")


main()
