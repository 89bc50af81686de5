"""A conversation over pipes, with a peer that does not behave."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

import pytest

from arena.errors import Forfeited
from arena.sandbox.wire.channel import MAX_LOG_BYTES, Channel, Log
from arena.sandbox.wire.languages import LINES, MAX_MESSAGE_BYTES
from tests.golden import Wording

#: What a busy machine may take longer than it should.
SLACK = 5.0

Script = Callable[["Peer"], None]


class Peer(NamedTuple):
    """The ends of the pipes that a player would have."""

    questions: int
    answers: int
    log: int

    def say(self, text: bytes) -> None:
        os.write(self.answers, text)

    def hear(self) -> bytes:
        return os.read(self.questions, 1 << 16)


class Talk:
    """A channel and a peer; what is the peer's is closed when its script ends."""

    def __init__(self) -> None:
        read_q, write_q = os.pipe()
        read_a, write_a = os.pipe()
        read_l, write_l = os.pipe()
        self.channel = Channel(LINES, write_q, read_a, read_l)
        self.peer = Peer(read_q, write_a, write_l)
        self.open = set(self.peer)
        self._threads: list[threading.Thread] = []

    def play(self, script: Script) -> Channel:
        thread = threading.Thread(target=self._run, args=(script,), daemon=True)
        self._threads.append(thread)
        thread.start()
        return self.channel

    def _run(self, script: Script) -> None:
        with suppress(OSError):  # the channel was closed
            script(self.peer)

    def hang_up(self, *descriptors: int) -> None:
        for descriptor in descriptors or tuple(self.open):
            self.open.discard(descriptor)
            os.close(descriptor)

    def end(self) -> None:
        self.channel.close()
        for thread in self._threads:
            thread.join(5)
            assert not thread.is_alive()
        self.hang_up()


@pytest.fixture
def talk() -> Iterator[Talk]:
    before = os.listdir("/proc/self/fd")
    talk = Talk()
    yield talk
    talk.end()
    assert os.listdir("/proc/self/fd") == before


def within(seconds: float) -> Callable[[], float]:
    end = time.monotonic() + seconds
    return lambda: end


def refused(channel: Channel, seconds: float = 5.0) -> tuple[str, str, float]:
    """Return the reason, the message, and how long it took."""
    begun = time.monotonic()
    with pytest.raises(Forfeited) as caught:
        channel.ask(b"question\n", within(seconds))
    return caught.value.reason, str(caught.value), time.monotonic() - begun


def test_a_question_and_its_answer(talk: Talk) -> None:
    heard = []

    def answer(peer: Peer) -> None:
        for _ in range(2):
            heard.append(peer.hear())
            peer.say(b"answer\r\n")

    channel = talk.play(answer)
    channel.tell(b"told\n")
    assert channel.ask(b"question\n", within(5)) == b"answer"
    assert channel.ask(b"again\n", within(5)) == b"answer"
    assert b"".join(heard) == b"told\nquestion\nagain\n"


def test_a_player_goes_on_once_it_has_its_question(talk: Talk) -> None:
    results = []

    def resume() -> None:
        results.append(talk.peer.hear())  # it would wait for ever for a question that comes later
        talk.peer.say(b"answer\n")

    talk.channel.resume = resume
    assert talk.channel.ask(b"question\n", within(5)) == b"answer"
    assert results == [b"question\n"]


def test_a_question_is_written_once_and_its_answer_read_once(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    main, called = threading.get_ident(), Counter[str]()

    def counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            called[name] += threading.get_ident() == main
            return function(*arguments)

        return call

    def answer(peer: Peer) -> None:
        while peer.hear():
            peer.say(b"answer\n")

    channel = talk.play(answer)
    for name in ("read", "write"):
        monkeypatch.setattr(os, name, counted(name, getattr(os, name)))
    for questions in range(1, 4):
        channel.tell(b"told ")
        assert channel.ask(b"question\n", within(5)) == b"answer"
        assert called == {"read": questions, "write": questions}
    talk.hang_up(talk.peer.answers)


def test_an_answer_may_come_in_pieces(talk: Talk) -> None:
    def drip(peer: Peer) -> None:
        peer.hear()
        for at in b"answer\n":
            peer.say(bytes([at]))
            time.sleep(0.01)

    assert talk.play(drip).ask(b"question\n", within(5)) == b"answer"


def test_two_answers_are_caught_at_the_next_question(talk: Talk, wording: Wording) -> None:
    talk.peer.say(b"one\ntwo\n")
    assert talk.channel.read(within(5)) == b"one"
    reason, message, _ = refused(talk.channel)
    assert reason == "protocol"
    wording(message, "'two'")


@pytest.mark.parametrize("early", [b"early\n", b"half", b"\n", b"\x1b[2J\xff"])
def test_an_answer_before_the_question_is_caught(
    talk: Talk, early: bytes, wording: Wording
) -> None:
    talk.peer.say(early)
    reason, message, _ = refused(talk.channel)
    assert reason == "protocol"
    wording(message)
    assert message.isprintable()


def test_no_byte_extends_the_time(talk: Talk) -> None:
    def drip(peer: Peer) -> None:
        while True:
            peer.say(b"x")
            time.sleep(0.005)

    reason, message, seconds = refused(talk.play(drip_after_question(drip)), 0.2)
    assert reason == "timeout"
    assert "'xxx" in message
    assert 0.2 <= seconds < 0.2 + SLACK


def drip_after_question(script: Script) -> Script:
    def run(peer: Peer) -> None:
        peer.hear()
        script(peer)

    return run


def test_an_endless_line_is_refused_at_once(talk: Talk, wording: Wording) -> None:
    def endless(peer: Peer) -> None:
        while True:
            peer.say(b"x" * 4096)

    reason, message, seconds = refused(talk.play(drip_after_question(endless)), 60)
    assert reason == "protocol"
    wording(message, f"{MAX_MESSAGE_BYTES}")
    assert seconds < SLACK


@pytest.mark.parametrize("more", [0, 1, 4096])
def test_a_line_has_a_longest_length(talk: Talk, more: int) -> None:
    def long(peer: Peer) -> None:
        line = b"x" * (MAX_MESSAGE_BYTES + more) + b"\n"
        while line:
            line = line[os.write(peer.answers, line) :]

    channel = talk.play(drip_after_question(long))
    if more:
        assert refused(channel)[0] == "protocol"
    else:
        assert channel.ask(b"question\n", within(5)) == b"x" * MAX_MESSAGE_BYTES


def test_a_peer_that_says_nothing_is_late(talk: Talk, wording: Wording) -> None:
    reason, message, seconds = refused(talk.channel, 0.1)
    assert reason == "timeout"
    wording(message)
    assert 0.1 <= seconds < 0.1 + SLACK


def test_only_the_deadline_extends_the_time(talk: Talk, wording: Wording) -> None:
    begun = time.monotonic()
    ends = iter([0.05, 0.1, 0.2, 0.2, 9.0])
    with wording.raises(Forfeited):
        talk.channel.ask(b"question\n", lambda: begun + next(ends))
    assert 0.2 <= time.monotonic() - begun < 0.2 + SLACK
    assert next(ends) == 9.0


def test_a_deadline_that_has_passed_does_not_wait(talk: Talk) -> None:
    assert refused(talk.channel, -1)[0] == "timeout"


def test_who_reads_nothing_does_not_keep_us_from_the_deadline(talk: Talk) -> None:
    talk.channel.tell(b"x" * (1 << 20))
    reason, _, seconds = refused(talk.channel, 0.2)
    assert reason == "timeout"
    assert seconds < 0.2 + SLACK


def test_much_is_sent_while_the_peer_writes_as_well(talk: Talk) -> None:
    size = 1 << 20

    def echo(peer: Peer) -> None:
        heard = 0
        while heard < size:
            heard += len(peer.hear())
            os.write(peer.log, b"l" * 1000)
        peer.say(b"%d\n" % heard)

    assert talk.play(echo).ask(b"x" * (size - 1) + b"\n", within(10)) == b"%d" % size
    assert str(talk.channel.log).startswith("lll")


@pytest.mark.parametrize("answers", [False, True])
def test_a_flood_on_the_log_starves_nothing(talk: Talk, answers: bool) -> None:
    def flood(peer: Peer) -> None:
        while True:
            os.write(peer.log, b"flood " * 10_000)

    def answer(peer: Peer) -> None:
        time.sleep(0.05)
        peer.say(b"answer\n")

    channel = talk.play(flood)
    if answers:
        assert talk.play(answer).read(within(5)) == b"answer"
    else:
        reason, _, seconds = refused(channel, 0.2)
        assert reason == "timeout"
        assert seconds < 0.2 + SLACK
    assert len(str(channel.log)) < MAX_LOG_BYTES + 100


def test_the_end_is_a_crash(talk: Talk, wording: Wording) -> None:
    talk.hang_up()
    reason, message, *_ = refused(talk.channel)
    assert reason == "crash"
    wording(message)
    assert talk.channel.is_at_end


def test_the_end_in_mid_answer_is_one_too(talk: Talk, wording: Wording) -> None:
    def half(peer: Peer) -> None:
        peer.say(b'{"id": 1')
        talk.hang_up()

    reason, message, *_ = refused(talk.play(drip_after_question(half)))
    assert reason == "crash"
    wording(message)


def test_what_was_answered_before_the_end_counts(talk: Talk) -> None:
    def last(peer: Peer) -> None:
        peer.say(b"answer\n")
        talk.hang_up()

    channel = talk.play(drip_after_question(last))
    assert channel.ask(b"question\n", within(5)) == b"answer"
    assert refused(channel)[0] == "crash"


def test_who_closes_its_input_may_still_have_answered(talk: Talk) -> None:
    talk.hang_up(talk.peer.questions)
    talk.channel.tell(b"x" * (1 << 20))

    def answer(peer: Peer) -> None:
        time.sleep(0.05)
        peer.say(b"answer\n")

    assert talk.play(answer).ask(b"question\n", within(5)) == b"answer"


def test_a_log_that_is_closed_is_no_end(talk: Talk) -> None:
    os.write(talk.peer.log, b"last words\n")
    talk.hang_up(talk.peer.log)
    begun = time.process_time()
    assert refused(talk.channel, 0.2)[0] == "timeout"
    assert time.process_time() - begun < 0.1  # nor does it keep us busy
    assert talk.channel.log.last_line == "last words"


def test_what_the_log_has_at_the_end_is_kept(talk: Talk) -> None:
    os.write(talk.peer.log, b"Traceback\n\x1b[31mError\n\n")
    talk.channel.close()
    assert talk.channel.log.last_line == r"\x1b[31mError"


@pytest.mark.slow
def test_the_first_and_the_last_of_a_log_are_kept() -> None:
    log = Log()
    for n in range(100_000):
        log.add(b"%06d\n" % n)
    text = str(log)
    assert text.startswith("000000\n000001\n")
    assert text.endswith("099998\n099999\n")
    assert f"... {700_000 - MAX_LOG_BYTES} bytes ..." in text
    assert len(text) < MAX_LOG_BYTES + 100
    assert log.last_line == "099999"
    short = Log()
    short.add(b"\xff\n")
    assert (str(short), short.dropped, Log().last_line) == ("\\xff\n", 0, "")


@pytest.mark.parametrize(
    "piece",
    [
        1,
        1000,
        MAX_LOG_BYTES // 2,
        MAX_LOG_BYTES // 2 + 1,
        MAX_LOG_BYTES,
        MAX_LOG_BYTES + 1,
        3 * MAX_LOG_BYTES,
    ],
)
def test_a_log_drops_only_what_it_says(piece: int) -> None:
    log = Log()
    text = bytes(range(65, 91)) * 20_000
    for at in range(0, 4 * MAX_LOG_BYTES if piece > 1 else 3000, piece):
        log.add(text[at : at + piece])
    size = min(len(text), -(-(4 * MAX_LOG_BYTES if piece > 1 else 3000) // piece) * piece)
    head, _, tail = str(log).partition("\n... ")
    count = len(head) + len(tail.partition("...\n")[2])
    assert count + log.dropped == size
    assert text.startswith(head.encode())
    assert text[:size].endswith(str(log)[-100:].encode())


@pytest.mark.parametrize(
    ("log", "said"),
    [
        (
            "Error: no such module\n    at load (x.js:1)\n  code: 'X',\n}\n\nNode.js v20.1.0\n",
            "Error: no",
        ),
        ("Exception in thread main\n\tat Bot.main\n", "Exception in thread main"),
        ("Traceback:\n  File x\nKeyError: 3\n\n", "KeyError: 3"),
        ("    only this\n", "only this"),
    ],
)
def test_the_last_words_are_not_the_trace(log: str, said: str) -> None:
    stored = Log()
    stored.add(log.encode())
    assert stored.last_line.startswith(said)
