"""A contest of modules in the browser, which volunteers play."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

import arena
from benchmarks.contesting import FILE, Contest, contest, prepare
from tests.conftest import Run
from tests.golden import Wording
from tests.sandbox.wasm.modules import ANY, FIRST, text_of, write
from tests.volunteers.servers import Site, rows, volunteers

pytestmark = [
    pytest.mark.needs("starlette", "uvicorn", "wasmtime"),
    pytest.mark.slow,
    pytest.mark.timeout(300),
]

PAGE = Path(__file__).parents[2] / "docs" / "volunteers.md"

#: The contest of the page, with quick checks of hand-ins.
[OF_MODULES] = re.findall(r"^```toml\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
OF_MODULES = OF_MODULES.replace("pairs = 20", "pairs = 8") + FILE[FILE.index("[hand-ins]") :]


def modules(folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    monkeypatch.chdir(folder)
    last = "(i32.sub (call $count (local.get 0) (local.get 1)) (i32.const 1))"
    texts = {"alice": FIRST, "bob": ANY, "carol": last}
    files = {name: write(folder / f"{name}.wasm", text_of(text)) for name, text in texts.items()}
    return {name: Path(file).read_bytes() for name, file in files.items()}


def site_of(served: Contest) -> Site:
    lines = (served.folder / "workers.txt").read_text().splitlines()
    return Site(served.served, dict(line.split() for line in lines))


def passes(served: Contest, who: str, content: bytes) -> None:
    assert served.hand_in(who, content, "bot.wasm").status == 201
    report = served.settled(who)[0]
    assert report["state"] == "passed", report


def test_hand_ins_are_played_by_volunteers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = modules(tmp_path, monkeypatch)
    prepare(tmp_path, file=OF_MODULES)
    (tmp_path / "workers.txt").write_text("v0\nv1\n")
    with contest(tmp_path, "--workers", "workers.txt", "--audit", "0.2") as served:
        at = site_of(served)
        assert served.own("start").status == 303
        with volunteers(at, ["v0", "v1"]):
            for name in ("alice", "bob"):
                passes(served, name, content[name])
            served.over({"alice": 1, "bob": 1})
            passes(served, "carol", content["carol"])
            passes(served, "alice", content["carol"])  # another hand-in takes its seat
            served.over({"alice": 2, "bob": 1, "carol": 1})
    store = tmp_path / "contest.db"
    assert rows(store, "SELECT DISTINCT worker FROM parts")
    assert arena.verify(store).divergence is None
    done = subprocess.run(
        ["arena", "verify", "contest.db", "--replay", "-j", "1"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("key", ['isolation = "wasm"', "send-code = true"])
def test_what_volunteers_could_not_play_is_said_at_the_start(
    key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    prepare(tmp_path, file=OF_MODULES.replace(key, ""))
    (tmp_path / "workers.txt").write_text("v0\n")
    words = ("--contest", "contest.toml", "--tokens", "names.txt", "--workers", "workers.txt")
    ran = run("serve", *words, "--port", "0")
    assert ran.code == 2
    wording(ran.err.splitlines()[-1], key.partition(" ")[0])
