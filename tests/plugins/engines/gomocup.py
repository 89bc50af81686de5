"""A gomoku engine in the Gomocup protocol, which misbehaves on request: ``gomocup.py [FAULT]``.

It takes the first empty square. Its fault shows at its third move.
"""

import sys
import time

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""


def say(text: str) -> None:
    print(text, flush=True)


def main() -> None:
    columns = rows = 0
    taken: set[tuple[int, int]] = set()
    moves = 0

    def reply() -> None:
        nonlocal moves
        moves += 1
        squares = ((x, y) for y in range(rows) for x in range(columns))
        x, y = next(square for square in squares if square not in taken)
        match FAULT if moves == 3 else "":
            case "hang":
                time.sleep(600)
            case "illegal":
                x, y = next(iter(taken))
            case "outside":
                x, y = 99, 0
            case "garbage":
                say("nonsense")
                return
        taken.add((x, y))
        say("MESSAGE thinking")
        say(f"{x},{y}")

    for line in sys.stdin:
        command, _, rest = line.strip().partition(" ")
        match command:
            case "START" | "RECTSTART":
                if FAULT == "size":
                    say("ERROR unsupported size")
                    continue
                numbers = [int(word) for word in rest.split(",")]
                columns, rows = numbers[0], numbers[-1]
                taken, moves = set(), 0
                say("OK")
            case "BEGIN":
                reply()
            case "TURN":
                x, y = map(int, rest.split(","))
                taken.add((x, y))
                reply()
            case "BOARD":
                taken = set()
                while (stone := sys.stdin.readline().strip()) != "DONE":
                    x, y, _ = map(int, stone.split(","))
                    taken.add((x, y))
                reply()


main()
