"""Hand out parts of a run to machines that are not trusted, and believe none of them.

The desk answers messages and knows no network. Every part goes out under a lease, which its worker
renews. A part whose lease runs out goes to another one. The server's own worker, which alone is
trusted, plays a random share of what came in again. One game that comes out otherwise dismisses
the worker that sent it, and all that it sent is played again.
"""

from __future__ import annotations

import base64
import logging
import secrets
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Protocol

from arena import escape
from arena.clock import now
from arena.errors import UsageError, counted, describe
from arena.executors.base import MAX_TASK_ATTEMPTS, SECONDS_A_TASK, TaskFailed, Tasks
from arena.fights.chunks import Chunk
from arena.fights.counting import counts_of
from arena.match.record import PlayedPair
from arena.model.codec import encode
from arena.model.defaults import VOLUNTEER_PART_SECONDS
from arena.plugins.dask.facts import difference
from arena.records.base import Json
from arena.volunteers.objections import first_difference, is_plain, objection, other_pairs
from arena.volunteers.parts import WORK_PROTOCOL, RunParts
from arena.volunteers.reading import pairs_from

logger = logging.getLogger(__name__)

#: About the most pairs of a part: an answer is bounded.
MAX_PART_PAIRS = 5_000

#: Seconds without a word of a worker after which its lease ends, and how often it says one.
LEASE_SECONDS, BEAT_SECONDS = 30.0, 10.0

#: Seconds after which a part goes to a second worker if there is nothing else to do, and after
#: which the lease of a worker ends that says every time that it plays on.
SLOW_SECONDS, MAX_LEASE_SECONDS = 15.0, 300.0

#: After as many leases that ended the server plays a part itself.
MAX_PART_FAILURES = 3

#: Seconds without a look for leases that run out, after which the desk may have missed words.
MAX_DEAF_SECONDS = 2.0

#: Seconds that a worker waits after a lease of its ran out, twice as many each time, to the second.
MIN_PENALTY_SECONDS, MAX_PENALTY_SECONDS, MAX_DOUBLINGS = 5.0, 600.0, 10

#: Parts that a worker may have at once: a few before it has delivered any, and one more for each
#: that it has. So one that takes parts and plays none keeps few.
MIN_LEASES, MAX_LEASES = 4, 64

#: Parts that may wait to be played again here, of all workers and of one.
MAX_UNSETTLED, MAX_UNSETTLED_OF_ONE = 64, 16

#: Characters of a fact about a machine, and seconds between two lines about one worker.
MAX_FACT, TELLING_SECONDS = 200, 60.0

#: Seconds until the server's own worker asks again when there is nothing to do, and until one of
#: few others does: of many each waits longer, so that all together ask as often.
OWN_WAIT_SECONDS, WAIT_SECONDS, FEW_WORKERS = 0.05, 0.5, 20

#: The server's own worker.
OWN_WORKER = ""


class Ledger(Protocol):
    """Keeps which worker played what, and which are dismissed."""

    def dismissed(self) -> Mapping[str, str]:
        """Return why workers are dismissed, by their names."""

    def note(self, worker: str, fight: int, start: int, stop: int) -> None:
        """Keep who played these pairs of a fight, before they count."""

    def dismiss(self, worker: str, why: str) -> int:
        """Dismiss a worker, and forget all games that it played. Return their number."""


@dataclass(eq=False)
class _PartTask:
    """A part to play, or one to play again to check what a worker ``claimed`` of it."""

    chunk: Chunk
    failures: int = 0
    #: How often the server's own worker has failed at it.
    own_failures: int = 0
    is_done: bool = False
    #: Who delivered it, what, and how long that took; it waits for the server's own worker.
    worker: str = OWN_WORKER
    claimed: list[PlayedPair] | None = None


@dataclass(eq=False)
class _Lease:
    job: _PartTask
    worker: str
    began: float
    seen: float
    is_again: bool = False


@dataclass
class _WorkerNotes:
    """The desk's notes about a worker."""

    failures: int = 0
    may_ask_at: float = 0.0
    #: How many parts it has delivered since a lease of its ran out.
    delivered: int = 0
    #: When the owner heard last why it cannot play, and whether it heard that it plays.
    told_at: float = -inf
    is_known: bool = False


@dataclass
class Desk:
    """The parts of one run, and the workers that play them."""

    parts: RunParts
    tasks: Tasks[Chunk]
    ledger: Ledger
    #: The share of the parts that is played again.
    share: float
    clock: Callable[[], float] = now
    chance: Callable[[], float] = field(default_factory=lambda: secrets.SystemRandom().random)

    def __post_init__(self) -> None:
        self._waiting: deque[_PartTask] = deque()
        self._retries: deque[_PartTask] = deque()
        self._leases: dict[str, _Lease] = {}
        self._finished: deque[tuple[Chunk, list[PlayedPair] | TaskFailed]] = deque()
        self._workers: dict[str, _WorkerNotes] = {}
        self._dismissed = dict(self.ledger.dismissed())
        #: How many parts are out: handed out by the queue, and not settled.
        self._out = 0
        #: When it was looked for leases that run out.
        self._looked = self.clock()
        #: The least seconds of a pair so far.
        self._pair_seconds = VOLUNTEER_PART_SECONDS
        #: Why the run must begin again: a worker is dismissed. It is empty if none is.
        self.restart_reason = ""

    @property
    def seconds_a_task(self) -> float:
        """The seconds that a part should take."""
        return max(SECONDS_A_TASK, min(VOLUNTEER_PART_SECONDS, MAX_PART_PAIRS * self._pair_seconds))

    @property
    def is_idle(self) -> bool:
        """Whether no part is out. The queue may have more."""
        return not self._out

    def settled(self) -> Iterator[tuple[Chunk, list[PlayedPair] | TaskFailed]]:
        """Yield the parts that are played, and believed."""
        while self._finished:
            self._out -= 1
            yield self._finished.popleft()

    def fetch(self) -> bool:
        """Take one part from the queue before a worker asks. Return whether it has one."""
        chunk = self.tasks.next_task()
        if chunk is not None:
            self._out += 1
            self._waiting.append(_PartTask(chunk))
        return chunk is not None

    def answer(self, worker: str, message: Json) -> Json:
        """Return the answer to a message of a worker. Raises UsageError for one without sense."""
        if worker in self._dismissed:
            return {"status": 403, "problem": f"you are dismissed: {self._dismissed[worker]}"}
        if self.restart_reason:
            return {"wait": WAIT_SECONDS}
        kinds = {
            "ask": self._ask,
            "head": self._head,
            "code": self._code,
            "alive": self._alive,
            "done": self._done,
            "back": self._back,
        }
        kind = message.get("kind")
        answer = kinds.get(kind) if isinstance(kind, str) else None
        if answer is None:
            raise UsageError(f"the message is of no kind of {WORK_PROTOCOL}")
        return answer(worker, message)

    def expire(self) -> None:
        """Take the leases back that ran out. Time in which no worker was heard does not count."""
        moment = self.clock()
        deaf, self._looked = moment - self._looked, moment
        for name, lease in list(self._leases.items()):
            if deaf > MAX_DEAF_SECONDS:
                lease.seen += deaf
            is_silent = moment > lease.seen + LEASE_SECONDS
            is_late = moment > lease.began + MAX_LEASE_SECONDS and lease.worker != OWN_WORKER
            if is_silent or is_late:
                del self._leases[name]
                self._fail(lease, "it was never delivered")

    def _fail(self, lease: _Lease, why: str) -> None:
        """Give a part that a worker did not deliver to another one. This worker waits a while.

        All that a worker fails at until it asks again is one failure. A part at which the server's
        own worker fails again and again is given up.
        """
        job, moment = lease.job, self.clock()
        if lease.worker == OWN_WORKER:
            job.own_failures += 1
            if job.own_failures >= MAX_TASK_ATTEMPTS and not (job.is_done and job.claimed is None):
                job.is_done = True
                self._finished.append((job.chunk, TaskFailed(why)))
                return
        else:
            job.failures += 1
            worker = self._worker(lease.worker)
            if moment >= worker.may_ask_at:
                pause = MIN_PENALTY_SECONDS * 2 ** min(worker.failures, MAX_DOUBLINGS)
                worker.may_ask_at = moment + min(pause, MAX_PENALTY_SECONDS)
                worker.failures += 1
                worker.delivered = 0
        self._put_back(lease)

    def _worker(self, name: str) -> _WorkerNotes:
        return self._workers.setdefault(name, _WorkerNotes())

    def _ask(self, name: str, message: Json) -> Json:
        """Hand out a part, or say what to do meanwhile."""
        if message.get("head") != self.parts.digest:
            return {"head": self.parts.digest}
        worker, has = self._worker(name), message.get("facts")
        if name != OWN_WORKER and (problem := self._misfit(has)):
            if self.clock() > worker.told_at + TELLING_SECONDS:
                worker.told_at = self.clock()
                logger.warning("arena: volunteer %s plays nothing: it %s", *_lines(name, problem))
            problem = problem.replace(", here it is ", ", the server has ")
            return {"status": 409, "problem": f"this machine {problem}"}
        moment = self.clock()
        if moment < worker.may_ask_at:
            return {"wait": worker.may_ask_at - moment}
        held = sum(lease.worker == name for lease in self._leases.values())
        most = MAX_LEASES if name == OWN_WORKER else min(MAX_LEASES, MIN_LEASES + worker.delivered)
        job = self._next(name) if held < most else None
        if job is None:
            many = max(1.0, len(self._workers) / FEW_WORKERS)
            return {"wait": OWN_WAIT_SECONDS if name == OWN_WORKER else WAIT_SECONDS * many}
        if not worker.is_known and name != OWN_WORKER:
            worker.is_known = True
            logger.warning("arena: volunteer %s plays", *_lines(name))
        lease = secrets.token_hex(8)
        self._leases[lease] = _Lease(job, name, moment, moment, job.claimed is not None)
        part = encode(self.parts.part(job.chunk))
        return {"lease": lease, "part": part, "beat": BEAT_SECONDS}

    def _misfit(self, has: object) -> str:
        """Return why a machine with these facts cannot play the run, empty if it can."""
        if not isinstance(has, dict) or not all(isinstance(fact, str) for fact in has.values()):
            return "does not say what it has"
        facts = {name[:MAX_FACT]: fact[:MAX_FACT] for name, fact in has.items()}
        return difference(self.parts.head.facts, facts)

    def _next(self, name: str) -> _PartTask | None:
        """Return what a worker plays next, or None if there is nothing for it at present."""
        if name == OWN_WORKER:
            if self._retries:
                return self._retries.popleft()
            return self._waiting_job(MAX_PART_FAILURES) or self._slow(name)
        unsettled = sum(job.worker == name for job in self._retries)
        if len(self._retries) >= MAX_UNSETTLED or unsettled >= MAX_UNSETTLED_OF_ONE:
            return None
        if (job := self._waiting_job(0, MAX_PART_FAILURES)) is not None:
            return job
        if (chunk := self.tasks.next_task()) is not None:
            self._out += 1
            return _PartTask(chunk)
        return self._slow(name)

    def _waiting_job(self, least: int, before: int | None = None) -> _PartTask | None:
        """Return a part that came back so many times at least, and fewer times than ``before``."""
        for job in self._waiting:
            if least <= job.failures and (before is None or job.failures < before):
                self._waiting.remove(job)
                return job
        return None

    def _slow(self, name: str) -> _PartTask | None:
        """Return a part that one other worker has had for long: whoever is first plays it."""
        moment = self.clock()
        out = [lease for lease in self._leases.values() if not lease.is_again]
        for lease in out:
            holders = [each.worker for each in out if each.job is lease.job]
            if holders in ([name], [OWN_WORKER]) or len(holders) > 1:
                continue
            if moment > lease.began + SLOW_SECONDS:
                return lease.job
        return None

    def _head(self, name: str, message: Json) -> Json:
        return {"head": self.parts.digest, "run": self.parts.head.as_json()}

    def _code(self, name: str, message: Json) -> Json:
        content = self.parts.code.get(str(message.get("digest")))
        if content is None or (name != OWN_WORKER and not self.parts.sends_code):
            return {"content": None}
        return {"content": base64.b64encode(content).decode()}

    def _alive(self, name: str, message: Json) -> Json:
        """Renew leases, and name those that are over."""
        leases = message.get("leases")
        names = [str(each) for each in leases] if isinstance(leases, list) else []
        gone = []
        for each in names[:MAX_LEASES]:
            lease = self._leases.get(each)
            if lease is None or lease.worker != name or (lease.job.is_done and not lease.is_again):
                gone.append(each)
            else:
                lease.seen = self.clock()
        return {"gone": gone}

    def _back(self, name: str, message: Json) -> Json:
        """Take a part back that a worker does not play, because its user ends it."""
        lease = self._take(name, message)
        if lease is not None:
            self._fail(lease, str(message.get("why", "it was given back"))[:MAX_FACT])
        return {"taken": lease is not None}

    def _take(self, name: str, message: Json) -> _Lease | None:
        lease = self._leases.get(str(message.get("lease")))
        if lease is None or lease.worker != name:
            return None
        del self._leases[str(message["lease"])]
        return lease

    def _put_back(self, lease: _Lease) -> None:
        job = lease.job
        if lease.is_again:
            self._retries.appendleft(job)
        elif not job.is_done and all(other.job is not job for other in self._leases.values()):
            self._waiting.append(job)

    def _done(self, name: str, message: Json) -> Json:
        """Take what a worker says that its part came to, and hand out the next one."""
        answer = self._take_delivery(name, message)
        if "head" in message and name not in self._dismissed:
            answer["next"] = self._ask(name, message)
        return answer

    def _take_delivery(self, name: str, message: Json) -> Json:
        began = self._leases.get(str(message.get("lease")))
        lease = self._take(name, message)
        if began is None or lease is None or (lease.job.is_done and not lease.is_again):
            return {"taken": False}
        job = lease.job
        pairing = self.parts.pairing(job.chunk)
        try:
            seconds, seats = self.clock() - lease.began, len(pairing.players)
            pairs = pairs_from(message.get("pairs"), seconds, seats)
            problem = other_pairs(job.chunk.start, job.chunk.stop, pairs)
            if not problem and name != OWN_WORKER:
                problem = objection(pairing, pairs)
            if not problem:
                counts_of(pairing, pairs)
        except Exception as error:  # whatever a volunteer makes up ends no run
            self._fail(lease, "its games cannot be read")
            if isinstance(error, UsageError):
                raise
            raise UsageError(f"the games cannot be read: {describe(error)}") from error
        if any(pair.withdrawn is not None for pair in pairs) or (problem and name == OWN_WORKER):
            self._fail(lease, problem or "a player does not start there")
            return {"taken": False}
        if problem:
            self._dismiss(name, problem)
            return {"taken": False}
        worker = self._worker(name)
        worker.failures = 0
        worker.delivered += is_plain(pairing, pairs)
        spent = (self.clock() - lease.began) / len(pairs)
        self._pair_seconds = min(self._pair_seconds, max(spent, 1e-9))
        if name == OWN_WORKER:
            self._settle_own(job, pairs, lease.is_again)
        else:
            job.is_done = True
            self._believe_or_not(job, name, pairs)
        return {"taken": True}

    def _believe_or_not(self, job: _PartTask, name: str, pairs: list[PlayedPair]) -> None:
        """Settle what a worker delivered, or have it played again here first.

        The first pair tells whether players remember, so it is always played here.
        """
        pairing = self.parts.pairing(job.chunk)
        is_chosen = self.chance() < self.share
        if is_chosen or job.chunk.start == 1 or not is_plain(pairing, pairs):
            self._retries.append(_PartTask(job.chunk, worker=name, claimed=pairs))
            return
        self.ledger.note(name, job.chunk.pairing, job.chunk.start, job.chunk.stop)
        self._finished.append((job.chunk, pairs))

    def _settle_own(self, job: _PartTask, pairs: list[PlayedPair], is_again: bool) -> None:
        """Settle what the server's own worker played, which is what counts."""
        if not is_again:
            if not job.is_done:
                job.is_done = True
                self._finished.append((job.chunk, pairs))
            return
        pairing, name = self.parts.pairing(job.chunk), job.worker
        self._finished.append((job.chunk, pairs))
        if job.claimed is not None and name not in self._dismissed:
            problem = first_difference(pairing, job.claimed, pairs)
            if problem:
                self._dismiss(name, problem)

    def _dismiss(self, name: str, problem: str) -> None:
        """Dismiss a worker. The run begins again with what others played, and what it lacks."""
        why = f"a game came out otherwise: {problem}"
        removed = self.ledger.dismiss(name, why)
        self._dismissed[name] = why
        consequence = f"; its {counted(removed, 'game')} are played again" if removed else ""
        self.restart_reason = f"volunteer {name} is dismissed: {why}{consequence}"


def _lines(*words: str) -> list[str]:
    return [escape.line(word) for word in words]
