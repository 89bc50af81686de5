"""Many games of a language model in flight, against the time that the answers alone take."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil

from arena.clock import now
from benchmarks.table import Bar, Row, Sign, cost

#: A game in which a player has exactly this many moves.
MOVES = 10
GAME = f"prisoners-dilemma-{MOVES}"

#: The time of a run against that of its answers alone: games of equal length are over in rounds.
IN_FLIGHT = Bar(Sign.AT_MOST, 1.3)

#: MiB that the process with all games may take, as a ratio.
MEMORY_MIB = 200
MEMORY = Bar(Sign.AT_MOST, 1.0)

#: A server that answers with the first legal move after some seconds: ``server.py SECONDS``.
SERVER = """
import asyncio, json, sys

async def serve(reader, writer):
    while not reader.at_eof():
        try:
            head = await reader.readuntil(b"\\r\\n\\r\\n")
        except asyncio.IncompleteReadError:
            return
        length = int(head.lower().split(b"content-length:")[1].split(b"\\r\\n")[0])
        request = json.loads(await reader.readexactly(length))
        await asyncio.sleep(float(sys.argv[1]))
        prompt = request["messages"][0]["content"]
        move = prompt.split("Legal moves:")[1].split()[0]
        message = {"role": "assistant", "content": f"MOVE: {move}"}
        usage = {"prompt_tokens": 100, "completion_tokens": 4}
        body = json.dumps({"choices": [{"message": message}], "usage": usage}).encode()
        head = f"HTTP/1.1 200 OK\\r\\nContent-Length: {len(body)}\\r\\n\\r\\n"
        writer.write(head.encode() + body)

async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()

asyncio.run(main())
"""


def rows(quick: bool) -> list[Row]:
    """Measure one run as a process of its own: its time and its memory."""
    pairs, in_flight, seconds = (4, 8, 0.05) if quick else (100, 64, 0.5)
    with _serving(seconds) as url:
        took, memory = _run(url, pairs, in_flight)
    ideal = ceil(2 * pairs / in_flight) * MOVES * seconds
    games = f"{2 * pairs} games of {MOVES} moves of a model with {seconds:g} s an answer"
    work = f"{games}, {in_flight} in flight"
    return [
        cost(f"{work}: time against that of its rounds of answers", took, ideal, IN_FLIGHT),
        _memory("the same: memory against what it may take", memory),
    ]


def _memory(work: str, memory: float) -> Row:
    ratio = memory / MEMORY_MIB
    measured = f"{memory:.0f} MiB against {MEMORY_MIB} MiB"
    return Row(work, measured, ratio, str(MEMORY), MEMORY.holds(ratio))


@contextmanager
def _serving(seconds: float) -> Iterator[str]:
    command = [sys.executable, "-c", SERVER, str(seconds)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            yield f"http://127.0.0.1:{int(server.stdout.readline())}/v1"
        finally:
            server.kill()


def _run(url: str, pairs: int, in_flight: int) -> tuple[float, float]:
    """Return the seconds of a fight, and the MiB that its process took at most."""
    words = ["fight", f"llm,model=first:{url}", "monkey", "--game", GAME, "-n", str(pairs)]
    command = [sys.executable, "-m", "arena", *words, "--seed", "1", "--in-flight", str(in_flight)]
    command.append("--keep-going")  # without it the first pairs are played before the others
    begun = now()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    took = now() - begun
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return took, usage.ru_maxrss / 1024
