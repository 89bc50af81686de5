"""``arena serve`` of a store on a server: the same pages, and a server that goes away."""

from __future__ import annotations

import pytest

import arena
from benchmarks.postgres import PASSWORD, USER, running_server
from benchmarks.serving import serving

pytestmark = pytest.mark.needs("starlette", "uvicorn", "postgres", "psycopg")


def test_a_store_on_a_server_is_served_and_its_password_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    with running_server() as database:
        url = database.create()
        arena.fight("monkey", "tictactoe1", n=3, seed=1, store=url, engine="calls")
        with serving(url) as served:
            pages = [served.ask(path) for path in ("/", "/runs/1", "/runs/1/watch")]
            assert [page.status for page in pages] == [200, 200, 200]
            assert "tictactoe1" in pages[1].text
            secrets = (PASSWORD, f"{USER}@", f":{database.port}", "postgresql:")
            assert not [word for word in secrets for page in pages if word in page.text]
            database.kill()
            gone = served.ask("/runs/1")
            assert gone.status in (500, 503)
            assert not [word for word in secrets if word in gone.text]
            database.start()
            assert served.ask("/runs/1").status == 200
