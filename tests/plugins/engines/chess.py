"""A UCI engine for chess that knows a few positions, and breaks a rule: ``chess.py [FAULT]``."""

import sys

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
#: A legal move by the beginning of the position.
MOVES = {
    "startpos moves": "b1a3",
    "startpos": "e2e4",
    "fen 3r2k1": "f1a1",
    "fen rnbqkbnr": "a7a5",
    "fen r3k2r": "a1b1",
    "fen 8/P7": "a7a8n",
    "fen 4k3": "d4e3",
}
OPTION = {
    "type": "option name Hash type number default 16",
    "spin": "option name Hash type spin default 16 min 32 max 64",
    "max": "option name Hash type spin default 16 min 1",
    "check": "option name Ponder type check default no",
    "combo": "option name Style type combo default Dull var Solid var Risky",
}
FINE = [
    "option name Hash type spin default 16 min 1 max 64",
    "option name Style type combo default Very Risky var Solid var Very Risky",
    "option name Ponder type check default false",
]


def say(text: str) -> None:
    print(text, flush=True)


def search(position: str, go: str) -> None:
    move = next(move for begin, move in MOVES.items() if position.startswith(begin))
    if FAULT == "illegal" and "P7" in position:
        move = "a7a8"  # without the piece
    score = "" if FAULT == "no score" else " score cp 13 upperbound"
    time = "0.5" if FAULT == "float" else "5"
    say(f"info string depth of thought\ninfo depth 3 time {time}{score} pv {move}")
    if not (FAULT == "silent" and "winc" in go):
        say(f"bestmove {move} ponder e7e5")


def main() -> None:
    position, searches = "startpos", 0
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "uci":
            say("" if FAULT == "no name" else "id name Few Positions")
            say("" if FAULT == "no author" else "id author A. Uthor")
            say("\n".join([*FINE, OPTION.get(FAULT, ""), "uciok"]))
        elif word == "isready" and not (FAULT == "busy" and position.endswith("infinite")):
            say("bestmove e2e4" * (FAULT == "unasked" and position.startswith("fen")))
            say("readyok")
        elif word == "position":
            position = rest
        elif word == "go" and rest == "infinite":
            position += " infinite"
            searches += 1
            if FAULT == "ends":
                say("bestmove e2e4")
        elif word == "go":
            search(position, rest)
        elif word == "stop" and FAULT != "goes on":
            if FAULT == "wrong":
                say("info depth 1 score cp 13 pv e2e4")
            has_move = FAULT != "wrong" and (FAULT != "slow" or searches > 1)
            say(f"bestmove {'e2e4' if has_move else 'a1a1'}")
        elif word == "quit" and FAULT != "stays":
            return


main()
