"""Strangers and entrants of a contest: each attack on a contest, against a server that runs."""

from __future__ import annotations

import io
import json
import re
import socket
import sys
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.contesting import FORKING, RIGHT, TALKING, WRONG, Contest, contest, prepare
from benchmarks.serving import PATIENCE, Answer

pytestmark = [pytest.mark.needs("starlette", "uvicorn", "locked"), pytest.mark.slow]

#: What a stranger may ask for.
PRIVATE = ("/", "/me", "/hand-ins", "/hand-ins/1", "/owner", "/games/alice", "/standings/events")

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Contest]:
    folder = tmp_path_factory.mktemp("hidden-folder")
    prepare(folder)
    with contest(folder) as site:
        yield site


def logged_in(served: Contest, who: str, old: str = "") -> dict[str, str]:
    """Log in as a browser does, and return its cookies and the token of its pages."""
    page = served.served.ask("/login", headers={"Cookie": old})
    session = page.headers["set-cookie"].partition(";")[0]
    body = f"csrf={csrf_of(page)}&token={served.tokens[who]}"
    cookies = f"{session}; {old}"
    answer = served.served.ask("/login", "POST", {**FORM, "Cookie": cookies}, body)
    assert answer.status == 303
    cookies = "; ".join(re.findall(r"(arena[\w-]*=[^;]+);", answer.headers["set-cookie"]))
    home = served.served.ask("/me", headers={"Cookie": cookies})
    return {"Cookie": cookies, "X-CSRF-Token": csrf_of(home)}


def csrf_of(page: Answer) -> str:
    match = re.search(r'csrf-token" content="(\w+)"', page.text)
    assert match is not None
    return match[1]


def test_a_stranger_sees_nothing_and_sends_nothing(served: Contest) -> None:
    for path in PRIVATE:
        answer = served.served.ask(path)
        assert answer.status in (303, 401)
        assert "alice" not in answer.text
    for path in ("/hand-ins", "/owner/start", "/logout", "/nothing"):
        assert served.served.ask(path, "POST", FORM, "csrf=0").status == 401


@pytest.mark.parametrize("digits", [10, 20, 5000])
def test_a_number_with_many_digits_is_no_page(served: Contest, digits: int) -> None:
    number = "9" * digits
    assert served.served.ask(f"/hand-ins/{number}").status == 404
    assert served.ask("alice", f"/hand-ins/{number}").status == 404
    assert served.ask("owner", f"/owner/hand-ins/alice/{number}").status == 404


def test_a_stranger_that_sends_a_gigabyte_is_refused_at_its_headers(served: Contest) -> None:
    head = b"POST /hand-ins HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n"
    with served.served.connect(head) as connection:
        assert b" 401 " in connection.recv(100)
        assert flood(connection) < 500


def test_an_entrant_that_sends_a_gigabyte_is_refused(served: Contest) -> None:
    token = f"Authorization: Bearer {served.tokens['alice']}\r\n"
    head = f"POST /hand-ins HTTP/1.1\r\nHost: localhost\r\n{token}"
    with served.served.connect(f"{head}Content-Length: 1000000000\r\n\r\n".encode()) as connection:
        assert b" 413 " in connection.recv(100)
    with served.served.connect(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode()) as silent:
        assert flood(silent, b"10000\r\n" + b"a" * 65_536 + b"\r\n") < 500
    assert served.hand_in("alice", b"#" * 100_001).status == 413


def flood(connection: socket.socket, part: bytes = b"a" * 65_536) -> int:
    """Send without end, and return how often the server took it."""
    for count in range(1000):
        try:
            connection.sendall(part)
        except OSError:
            return count
    return 1000


def test_a_wrong_token_opens_nothing_and_guesses_are_limited(tmp_path: Path) -> None:
    prepare(tmp_path)
    with contest(tmp_path) as own:
        known = logged_in(own, "alice")
        tried = [guess(own, f"{'a' * 31}{letter}") for letter in "bcdefghijklmnopqrstuvwxyz"]
        assert set(tried) == {401, 429}
        assert tried == sorted(tried)  # once it is too often, it stays so
        # Who has a right token is let in, also from there, with an old cookie too.
        assert own.ask("bob", "/me").status == 200
        assert own.served.ask("/me", headers=known).status == 200
        assert logged_in(own, "carol", "arena-token=old")


def test_tokens_that_cannot_be_read_are_a_fault_of_the_server(tmp_path: Path) -> None:
    prepare(tmp_path)
    with contest(tmp_path) as own:
        (tmp_path / "tokens.csv").chmod(0o644)
        assert own.ask("alice", "/me").status == 500
        assert own.served.ask("/login").status == 200
        (tmp_path / "tokens.csv").chmod(0o600)
        assert own.ask("alice", "/me").status == 200


def guess(served: Contest, token: str) -> int:
    return served.served.ask("/me", headers={"Authorization": f"Bearer {token}"}).status


@pytest.mark.parametrize("shown", ["Basic YWxpY2U6eA==", "Bearer", "Bearer \xff", "alice", ""])
def test_a_header_without_a_token_is_refused(served: Contest, shown: str) -> None:
    assert served.served.ask("/me", headers={"Authorization": shown}).status == 401


def test_the_cookie_of_a_token_is_kept_from_scripts_and_other_sites(served: Contest) -> None:
    page = served.served.ask("/login")
    session = page.headers["set-cookie"].partition(";")[0]
    body = f"csrf={csrf_of(page)}&token={served.tokens['alice']}"
    for origin, is_secure in (("http", False), ("https", True)):
        known = {**FORM, "Cookie": session, "Origin": f"{origin}://127.0.0.1:{served.served.port}"}
        cookies = served.served.ask("/login", "POST", known, body).headers["set-cookie"]
        assert "arena-token=" in cookies
        assert "HttpOnly" in cookies
        assert "SameSite=Strict" in cookies
        assert ("Secure" in cookies) is is_secure


def test_one_entrant_sees_nothing_of_another_and_is_not_the_owner(served: Contest) -> None:
    served.hand_in("alice", TALKING)
    [alices, *_] = served.settled("alice")
    assert alices["state"] == "passed"
    assert json.loads(served.ask("bob", "/hand-ins").text)["hand_ins"] == []
    assert served.ask("bob", f"/hand-ins/{alices['number']}").status == 404
    assert served.ask("bob", "/games/alice").status == 403
    for path in ("/owner",):
        assert served.ask("bob", path).status == 403
    for act in ("start", "stop", "withdraw", "readmit", "close"):
        assert served.ask("bob", f"/owner/{act}", "POST", "value=alice", FORM).status == 403
    assert served.ask("owner", "/me").status == 401  # the owner does not play
    assert served.hand_in("owner", RIGHT).status == 401


def test_a_browser_cannot_be_made_to_hand_in(served: Contest) -> None:
    known = logged_in(served, "bob")
    cookie = {"Cookie": known["Cookie"]}
    foreign = {**known, "Origin": "http://evil.example"}
    other = {**known, "X-CSRF-Token": logged_in(served, "carol")["X-CSRF-Token"]}
    for headers in (cookie, foreign, other, {**known, "X-CSRF-Token": ""}):
        assert served.served.ask("/hand-ins", "POST", headers, RIGHT).status == 403
    assert served.served.ask("/hand-ins", "POST", known, RIGHT).status == 201
    for host in ("evil.example", "localhost.evil.example", ""):
        assert served.served.ask("/me", headers={**cookie, "Host": host}).status == 403


def test_a_login_and_a_logout_begin_another_session(served: Contest) -> None:
    before = served.served.ask("/login")
    session = before.headers["set-cookie"].partition(";")[0]
    known = logged_in(served, "carol")
    # The token of a page before the login does not go with the session after it.
    replayed = {"Cookie": known["Cookie"], "X-CSRF-Token": csrf_of(before)}
    assert served.served.ask("/hand-ins", "POST", replayed, RIGHT).status == 403
    assert session not in known["Cookie"]
    answer = served.served.ask("/logout", "POST", known)
    assert answer.status == 303
    assert 'arena-token=""; ' in answer.headers["set-cookie"]
    assert "arena=" in answer.headers["set-cookie"]


def test_a_header_shows_who_it_is_and_the_cookie_beside_it_nothing(served: Contest) -> None:
    known = logged_in(served, "bob")
    headers = {"Cookie": known["Cookie"], "Authorization": "Bearer " + "x" * 32}
    assert served.served.ask("/me", headers=headers).status == 401


def zipped(files: dict[str, str | bytes], kind: int = 0) -> bytes:
    """Return a zip, whose entries have these bits as the mode of a file."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = kind << 16
            archive.writestr(entry, content)
    return made.getvalue()


POISON: dict[str, Any] = {
    "a bomb": zipped({"bot.py": b"#" * 60_000_000}),
    "a link": zipped({"bot.py": "/etc/passwd"}, 0o120777),
    "a path upwards": zipped({"bot.py": RIGHT, "../../bot.py": RIGHT}),
    "an absolute path": zipped({"bot.py": RIGHT, "/tmp/bot.py": RIGHT}),
    "markup in a name": zipped({"bot.py": RIGHT, "<script>.py": RIGHT}),
    "many files": zipped({f"{n}.py": "" for n in range(1000)}),
    "no player": zipped({"readme.txt": ""}),
    "a zip without an end": zipped({"bot.py": RIGHT})[:-30],
    "a program": b"\x7fELF\x02\x01\x01" + bytes(1000),
    "nothing": b"",
}


@pytest.mark.parametrize("content", POISON.values(), ids=POISON)
def test_a_package_that_is_poison_is_refused_in_one_line(served: Contest, content: bytes) -> None:
    answer = served.hand_in("dave", content, "x.zip")
    assert answer.status == 422
    problem = json.loads(answer.text)["problem"]
    assert len(problem.splitlines()) == 1
    assert str(served.folder) not in answer.text


def test_the_name_of_a_file_is_text(served: Contest) -> None:
    served.hand_in("carol", RIGHT, "%3Cscript%3Ealert(1)%3C%2Fscript%3E%0A..%2F%1b[31mx.py")
    page = served.ask("carol", "/me", headers={"Accept": "text/html"}).text
    assert "<script>alert(1)" not in page
    assert "\x1b" not in page


def test_players_that_fork_or_break_the_rules_do_not_pass_and_others_do(served: Contest) -> None:
    assert served.hand_in("dave", FORKING).status == 201
    assert served.hand_in("bob", RIGHT).status == 201
    [daves, *_] = served.settled("dave")
    assert daves["state"] == "refused"
    assert served.settled("bob")[0]["state"] == "passed"
    served.hand_in("dave", WRONG)
    assert served.settled("dave")[0]["state"] == "refused"
    report = json.loads(served.ask("dave", f"/hand-ins/{daves['number'] + 1}").text)["report"]
    assert "fail" in {finding["level"] for finding in report["findings"]}


def test_500_hand_ins_of_one_entrant_slow_nobody(served: Contest) -> None:
    statuses: list[int] = []

    def hand_in() -> None:
        for _ in range(50):
            statuses.append(served.hand_in("dave", f"# {len(statuses)}\n{RIGHT}").status)

    crowd = [threading.Thread(target=hand_in) for _ in range(10)]
    for thread in crowd:
        thread.start()
    assert served.hand_in("carol", RIGHT).status == 201  # within the patience of a request
    for thread in crowd:
        thread.join()
    assert len(statuses) == 500
    assert set(statuses) <= {201, 422, 429}
    assert statuses.count(201) <= 50
    assert served.settled("carol")[0]["state"] == "passed"
    rows = served.settled("dave")
    assert {row["state"] for row in rows[1:]} <= {"replaced", "passed", "refused"}


def test_requests_without_end_are_refused_and_others_are_answered(served: Contest) -> None:
    request = b"GET /login HTTP/1.1\r\nHost: localhost\r\n\r\n"
    seen: list[bytes] = []

    def ask() -> None:
        for _ in range(20):
            with served.served.connect(request * 50) as connection:
                text = b""
                connection.settimeout(PATIENCE)
                try:
                    while part := connection.recv(65_536):
                        text += part
                        if text.count(b"HTTP/1.1 ") >= 50:
                            break
                except OSError:
                    pass
            seen.append(text)

    crowd = [threading.Thread(target=ask) for _ in range(10)]
    for thread in crowd:
        thread.start()
    assert served.ask("alice", "/me").status == 200
    for thread in crowd:
        thread.join()
    answers = b"".join(seen)
    assert answers.count(b"HTTP/1.1 429") > 0
    assert served.ask("alice", "/me").status == 200


def test_no_answer_has_a_path_of_this_machine(served: Contest) -> None:
    paths = ["/", "/me", "/hand-ins", "/hand-ins/1", "/hand-ins/99", "/games/alice", "/nothing"]
    for path in paths:
        for accept in ("text/html", "application/json"):
            text = served.ask("alice", path, headers={"Accept": accept}).text
            assert str(served.folder) not in text
            assert served.folder.name not in text


#: Says where it and its interpreter are as it is loaded: that is the problem of its check.
#: Or says so when it is asked: that is in the report of its check.
TELLING = """
import sys
{at_once}raise ValueError(sys.prefix + "/bin", __file__, "/nonexistent/place/file")
def choose(position, rng):
    raise ValueError(sys.prefix + "/bin", __file__, "/nonexistent/place/file")
"""


@pytest.mark.parametrize("at_once", ["", "#"])
def test_no_report_of_a_check_has_a_path_of_this_machine(served: Contest, at_once: str) -> None:
    assert served.hand_in("frank", TELLING.format(at_once=at_once)).status == 201
    [hand_in, *_] = served.settled("frank")
    assert hand_in["state"] == "refused"
    own = f"hand-ins/{hand_in['number']}"
    texts = [
        served.ask(who, path, headers={"Accept": accept}).text
        for who, path in (
            *(("frank", f"/{own}"), ("frank", "/me"), ("frank", "/hand-ins")),
            *(("owner", "/owner"), ("owner", f"/owner/{own.replace('/', '/frank/')}")),
        )
        for accept in ("text/html", "application/json")
    ]
    assert any("ValueError" in text for text in texts)
    for text in texts:
        for folder in (sys.prefix, "/nonexistent", "place/", served.folder.name):
            assert folder not in text
