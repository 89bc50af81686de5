"""Verify what `arena solve GAME --certificate FILE` wrote, with the standard library alone.

Knows kuhn, leduc and liars-dice-{dice}-{sides}. Exits with 0 if the file proves what it says.
"""

import json
import sys
from collections import Counter, defaultdict
from fractions import Fraction
from hashlib import blake2b
from itertools import product

CHANCE, OVER = -1, None


def kuhn(words):
    """Return who moves and what it can do: chance with probabilities. At the end, what it pays."""
    cards, bets = words[:2], words[2:]
    if len(cards) < 2:
        return CHANCE, {card: Fraction(1, 3 - len(cards)) for card in "JQK" if card not in cards}
    if bets[-2:] in (["pass", "pass"], ["bet", "bet"]):
        won = 2 if bets[-1] == "bet" else 1
        return OVER, Fraction(won if "JQK".index(cards[0]) > "JQK".index(cards[1]) else -won)
    if bets[-2:] == ["bet", "pass"]:
        return OVER, Fraction(1 if len(bets) == 2 else -1)
    return len(bets) % 2, ["pass", "bet"]


def leduc(words):
    """Return the same for Leduc hold'em."""
    deck = ["J1", "J2", "Q1", "Q2", "K1", "K2"]
    cards = [word for word in words if word in deck]
    chips, bets, raises, rounds = [1, 1], 0, 0, 0
    for word in (word for word in words if word not in deck):
        if word == "fold":
            return OVER, Fraction(chips[1] if bets % 2 else -chips[0])
        chips[bets % 2] = max(chips) + (2 << rounds if word == "raise" else 0)
        bets, raises = bets + 1, raises + (word == "raise")
        if word == "call" and bets > 1:
            bets, raises, rounds = 0, 0, rounds + 1
    if rounds == 2:
        own, other = ((card[0] == cards[2][0], "JQK".index(card[0])) for card in cards[:2])
        return OVER, Fraction(chips[0] * ((own > other) - (own < other)))
    if len(cards) < 2 + rounds:
        return CHANCE, {card: Fraction(1, 6 - len(cards)) for card in deck if card not in cards}
    fold, more = ["fold"] * (chips[bets % 2] < max(chips)), ["raise"] * (raises < 2)
    return bets % 2, [*fold, "call", *more]


def liars_dice(dice, sides):
    """Return the rules of liar's dice with so many dice of so many sides for each player."""
    faces = range(1, sides + 1)
    bids = [f"{count}x{face}" for count in range(1, 2 * dice + 1) for face in faces]
    rolls = ("-".join(["hand", *map(str, sorted(r))]) for r in product(faces, repeat=dice))
    hands = {hand: Fraction(times, sides**dice) for hand, times in Counter(rolls).items()}

    def rules(words):
        said = words[2:]
        if len(words) < 2:
            return CHANCE, hands
        if said[-1:] != ["liar"]:
            higher = bids[bids.index(said[-1]) + 1 :] if said else bids
            return len(said) % 2, [*higher, *["liar"] * bool(said)]
        count, face = said[-2].split("x")
        shown = [die for hand in words[:2] for die in hand.split("-")[1:]]
        is_true = sum(die in (face, str(sides)) for die in shown) >= int(count)
        return OVER, Fraction(1 if is_true == (len(said) % 2 == 0) else -1)

    return rules


def rules_of(game):
    """Return the rules of a game by its name."""
    if game in ("kuhn", "leduc"):
        return {"kuhn": kuhn, "leduc": leduc}[game]
    dice, sides = map(int, game.split("-")[2:])
    require(game == f"liars-dice-{dice}-{sides}", f"unknown game {game!r}")
    return liars_dice(dice, sides)


def require(is_so, problem):
    """Raise ValueError with the problem unless it is so: Python may be told to skip assertions."""
    if not is_so:
        raise ValueError(problem)


def respond(rules, seat, table, used, waiting):
    """Return what a seat gets at most from weighed histories that it cannot tell apart."""
    paid, turns = Fraction(0), defaultdict(list)
    while waiting:
        words, weight = waiting.pop()
        who, shares = rules(words)
        if who is OVER:
            paid += weight * (shares if seat == 0 else -shares)
            continue
        seen = f"{who}: {' '.join([*words[who : who + 1], *words[2:]])} | {' '.join(shares)}"
        if who == seat:
            turns[seen].append((words, weight, shares))
            continue
        if who != CHANCE:
            used.add(seen)
            legal, shares = shares, table[seen]
            require([*shares] == [word for word in legal if word in shares], f"moves at {seen}")
        waiting += [([*words, word], weight * share) for word, share in shares.items()]
    for alike in turns.values():
        paid += max(
            respond(rules, seat, table, used, [([*words, word], w) for words, w, _ in alike])
            for word in alike[0][2]
        )
    return paid


def read(path):
    """Return the head of a file and the tables of both seats. Every byte is as arena writes it."""
    with open(path, "rb") as file:
        *lines, last, end = file.read().split(b"\n")
    for line in (*lines, last):
        require(json.dumps(json.loads(line), separators=(",", ":")).encode() == line, line)
    digest = blake2b(b"".join(line + b"\n" for line in lines), digest_size=16).hexdigest()
    require(json.loads(last) == {"sets": len(lines) - 1, "digest": digest} and not end, last)
    head, tables = json.loads(lines[0]), ({}, {})
    for line in lines[1:]:
        seat, seen, moves = (entry := json.loads(line))["seat"], entry["seen"], entry["moves"]
        shares = {word: Fraction(*map(int, text.split("/"))) for word, text in moves.items()}
        require(entry.keys() == {"seat", "seen", "moves"} and json.dumps(seat) in "01", line)
        require(seen not in tables[seat] and min(shares.values()) > 0, line)
        require({w: str(p) for w, p in shares.items()} == moves and sum(shares.values()) == 1, line)
        tables[seat][seen] = shares
    return head, tables


def main(path="FILE"):
    """Print what a file proves. Return the problem if it does not prove what it says."""
    try:
        head, tables = read(path)
        rules, most = rules_of(head["game"]), []
        for seat in (0, 1):
            used = set()
            most.append(respond(rules, seat, tables[1 - seat], used, [([], Fraction(1))]))
            require(used == tables[1 - seat].keys(), f"a line of seat {1 - seat} is of no use")
        low, high = -most[1], most[0]
        ours = {"schema": "arena.strategies/1", "game": head["game"], "game_version": 1}
        ours |= {"low": str(low), "high": str(high)} | {k: head[k] for k in ("source", "program")}
        require(json.dumps(ours) == json.dumps(head), f"it is {low} to {high}")
    except Exception as error:  # whatever a file brings about, it proves nothing
        return f"{path} proves nothing: {error!r}"
    return print(f"{head['game']}: the first seat gets {low} at least, {high} at most: verified")


sys.exit(main(*sys.argv[1:2]))
