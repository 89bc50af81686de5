#!/usr/bin/env python3
"""Make any legal move of any game, as a program that needs nothing but Python.

Play it with

    arena fight "cmd:python3 any_move.py" monkey

It talks to the arena in lines of JSON. The same ``--seed`` gives the same games, because all
chance comes from the seed that begins a game.
"""

import json
import random
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        chance = random.Random(message["seed"])
    elif message["type"] == "move":
        answer = {"id": message["id"], "move": chance.choice(message["legal"])}
        print(json.dumps(answer), flush=True)  # unflushed, it would wait in a buffer
