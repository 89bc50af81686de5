"""A crowd at a contest: many hand in at once, and many knock who have no token."""

from __future__ import annotations

import io
import random
import re
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from statistics import median

import pytest

from benchmarks.contesting import FILE, RIGHT, Contest, contest, prepare, waited
from benchmarks.flood import STRANGE, flooded, send
from benchmarks.serving import PATIENCE

pytestmark = [
    pytest.mark.needs("starlette", "uvicorn", "locked"),
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="reads /proc"),
]

#: Uploads at once that the server takes, as SECURITY.md says.
UPLOADS = 32


def crowd(folder: Path, count: int, file: str = FILE) -> list[str]:
    """Write the files of a contest of so many entrants, and return their names."""
    prepare(folder, file=file)
    names = [f"entrant-{number}" for number in range(count)]
    (folder / "names.txt").write_text("\n".join(names))
    return names


def test_500_hand_ins_of_50_entrants_at_once_are_all_taken(tmp_path: Path) -> None:
    names = crowd(tmp_path, 50)
    with contest(tmp_path) as served, ThreadPoolExecutor(len(names)) as pool:
        statuses = [status for own in pool.map(ten_times(served), names) for status in own]
        assert Counter(statuses) == {201: 500}
        page = served.ask("owner", "/owner", headers={"Accept": "text/html"}).text
        match = re.search(r"wait for their check</dt><dd>(\d+)<", page)
        assert match is not None
        # Of those of an entrant one is checked, and only the newest waits.
        assert int(match[1]) <= 2 * len(names)
        for name in names:
            assert f'href="/owner/hand-ins/{name}/10"' in page
            assert f'href="/owner/hand-ins/{name}/11"' not in page


def ten_times(served: Contest) -> Callable[[str], list[int]]:
    """Return what hands in ten times, each until the server has room for it."""

    def hand_in(name: str) -> list[int]:
        statuses = []
        for number in range(10):
            end = time.monotonic() + 4 * PATIENCE
            while (status := served.hand_in(name, f"# {number}\n{RIGHT}").status) == 503:
                assert time.monotonic() < end
                time.sleep(0.05)
            statuses.append(status)
        return statuses

    return hand_in


#: Most bytes of a hand-in, and of its files.
SIZE, UNPACKED = 3_000_000, 32 << 20


def test_so_many_uploads_at_once_take_no_more_memory_than_is_said(tmp_path: Path) -> None:
    sizes = f"size = {SIZE}\nunpacked = {UNPACKED}"
    names = crowd(tmp_path, UPLOADS + 1, FILE.replace("size = 100_000", sizes))
    content = heavy()
    assert 0.9 * SIZE < len(content) <= SIZE
    with contest(tmp_path) as served, ExitStack() as stack:
        before = memory_of(served, "VmRSS")
        sending = [
            stack.enter_context(served.served.connect(upload(served, name, content)[:-1]))
            for name in names[:UPLOADS]
        ]
        assert refused_eventually(served, names[-1])
        waited(lambda: memory_of(served, "VmRSS") > before + 0.9 * UPLOADS * SIZE or None)
        for connection in sending:
            connection.sendall(content[-1:])
        for connection in sending:
            assert b" 201 " in connection.recv(100)
        # One is unpacked at a time, besides those of two checks: 32 would be far more.
        most = memory_of(served, "VmHWM") - before
        assert most < 2 * UPLOADS * SIZE + 12 * UNPACKED


def heavy() -> bytes:
    """Return a zip as large as may be, packed and unpacked."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bot.py", RIGHT)
        archive.writestr("noise", random.Random(1).randbytes(SIZE - 100_000))
        archive.writestr("nothing", bytes(UNPACKED - SIZE))
    return made.getvalue()


def upload(served: Contest, name: str, content: bytes) -> bytes:
    head = (
        "POST /hand-ins HTTP/1.1\r\nHost: localhost\r\nX-File-Name: bot.zip\r\n"
        f"Authorization: Bearer {served.tokens[name]}\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content


def refused_eventually(served: Contest, name: str) -> bool:
    """Return whether one more is refused, once the server has the heads of the others."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        answer = served.hand_in(name, b"")
        if answer.status == 503:
            return True
        time.sleep(0.1)
    return False


def memory_of(served: Contest, what: str) -> int:
    """Return how many bytes the server's own process has, or had at most."""
    text = Path(f"/proc/{served.served.process.pid}/status").read_text()
    match = re.search(rf"{what}:\s+(\d+) kB", text)
    assert match is not None
    return 1024 * int(match[1])


#: Seconds of the flood.
SECONDS = 4.0


def test_a_flood_without_a_token_leaves_an_entrant_its_answers(tmp_path: Path) -> None:
    crowd(tmp_path, 1)
    times = []
    with contest(tmp_path) as served:
        with flooded(served.served.port, SECONDS) as flood:
            end = time.monotonic() + SECONDS
            while time.monotonic() < end:
                begun = time.monotonic()
                assert served.ask("entrant-0", "/me").status == 200
                times.append(time.monotonic() - begun)
                time.sleep(0.1)
            assert served.hand_in("entrant-0", RIGHT).status == 201
        statuses = flood.statuses
        assert set(statuses) == {0, 200, 401, 403, 429}
        in_words = statuses[200] + statuses[401] + statuses[403]
        assert in_words <= 300 + 30 * 2 * SECONDS  # what an address may ask
        assert statuses[429] > 50 * SECONDS
        assert median(times) < 2


@pytest.fixture(scope="module")
def knocked_at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Contest]:
    folder = tmp_path_factory.mktemp("knocked-at")
    crowd(folder, 1)
    with contest(folder) as served:
        yield served


@pytest.mark.parametrize("kind", STRANGE)
def test_a_stranger_is_answered_in_words_so_often_whatever_its_headers(
    knocked_at: Contest, kind: str
) -> None:
    own_address = f"127.0.1.{1 + [*STRANGE].index(kind)}"
    began, statuses = time.monotonic(), Counter[int]()
    while statuses[0] < 1000:
        statuses += send(knocked_at.served.port, STRANGE[kind], own_address)
    assert set(statuses) <= {0, 200, 401, 403, 429}
    assert (
        0 < statuses[200] + statuses[401] + statuses[403] <= 301 + 30 * (time.monotonic() - began)
    )
    assert statuses[429] > 0
    # The connection is closed then: what else was sent on it has no answer.
    assert sum(statuses.values()) < 2 * statuses[0]
    assert knocked_at.ask("entrant-0", "/me").status == 200
