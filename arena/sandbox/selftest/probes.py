"""Self-test a tier: have a player attempt the forbidden for real, and watch."""

from __future__ import annotations

import json
import os
import secrets
import select
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from arena.clock import now
from arena.dataclass import dataclass
from arena.sandbox.executable import executable
from arena.sandbox.selftest import attempts
from arena.sandbox.tiers.box import Box, BoxLimits, Tier

#: Part of a refusal, and the remedy.
_REMEDIES = (
    (
        "only Linux",
        "use tier process, for code that you trust (docs/stability.md says what works where)",
    ),
    (
        "Windows",
        "use --isolation none, for files that you trust (docs/stability.md says what works where)",
    ),
    ("is not installed", "install it: apt install bubblewrap, or dnf install bubblewrap"),
    (
        "setting up uid map",
        "ubuntu restricts user namespaces: give bwrap an AppArmor profile that allows `userns`, or"
        " run `sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`",
    ),
    (
        "RTM_NEWADDR",
        "ubuntu restricts user namespaces: give bwrap an AppArmor profile that allows `userns`, or"
        " run `sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`",
    ),
    (
        "namespace",
        "this system or container does not allow namespaces: use tier locked, or start the"
        " container with `--security-opt seccomp=unconfined`",
    ),
    (
        "no Landlock",
        "needs Linux 5.13 or newer with `landlock` among the security modules (kernel parameter"
        " `lsm=`), and a container that allows it",
    ),
    (
        "Permission denied",
        "let all users read the player's files and the interpreter, or do not run arena as root",
    ),
)


def advice(problem: str) -> str:
    """Return a line about what to do about a problem. The result is empty if nothing is known."""
    return next((remedy for sign, remedy in _REMEDIES if sign in problem), "")


#: Seconds for all attempts, and for a daemon to show that it lives on.
MAX_ATTEMPTS_SECONDS, DAEMON_SECONDS = 5.0, 0.25

#: The probe that must pass before any other means something.
START_PROBE = "play at all"

_LIMITS = BoxLimits(memory=128, processes=1, cpu=5, output=1 << 20)
_ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0"}
_QUESTION = 41


@dataclass(frozen=True)
class Probe:
    """One attempt of a player, and if the tier refused it."""

    name: str
    passed: bool
    #: The observation.
    detail: str
    #: The remedy, in a line.
    fix: str = ""


def run_probes(tier: Tier) -> list[Probe]:
    """Start a player in the tier and have it attempt everything in ``attempts.ATTEMPTS``.

    A probe passes if the attempt was refused, the first if the player could answer. The player
    also attempts what the tier does not promise to stop.
    """
    try:
        with _stage() as stage:
            refused = stage.play(tier)
    except (OSError, ValueError) as error:
        problem = str(error)
        return [Probe(START_PROBE, False, problem, advice(problem))]
    return [Probe(START_PROBE, True, "answered"), *(_probe(tier, *one) for one in refused.items())]


def failures(tier: Tier) -> list[Probe]:
    """Return the probes that show a broken promise of the tier."""
    return [probe for probe in run_probes(tier) if not probe.passed and promises(tier, probe.name)]


def promises(tier: Tier, probe: str) -> bool:
    """Return whether a tier promises to pass the probe of that name."""
    return probe == START_PROBE or tier.stops is None or probe in tier.stops


def _probe(tier: Tier, name: str, refused: str) -> Probe:
    if refused:
        return Probe(name, True, refused)
    fix = "" if promises(tier, name) else f"tier {tier.name} does not stop it"
    return Probe(name, False, "got through", fix)


@contextmanager
def _stage() -> Iterator[_ProbeTargets]:
    with ExitStack() as stack:
        player, other = (stack.enter_context(tempfile.TemporaryDirectory()) for _ in range(2))
        yield _ProbeTargets(Path(player), Path(other), stack)


class _ProbeTargets:
    """Everything that a player might reach, all of it the probe's own."""

    def __init__(self, player_folder: Path, other_folder: Path, stack: ExitStack) -> None:
        # A copy of the script: in a tier that does not stop it, the player writes to itself.
        self.script = _file(player_folder / "player.py", Path(attempts.__file__).read_text())
        self.new = player_folder / "new"
        self.log = tempfile.TemporaryFile()  # noqa: SIM115 (the stack closes it)
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        stack.enter_context(self.log)
        stack.enter_context(self.udp)
        self.udp.bind(("127.0.0.1", 0))
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        token = secrets.token_hex(8)
        self.facts: dict[str, Any] = {
            "beside": str(_file(player_folder / "beside", "secret")),
            "elsewhere": str(_file(other_folder / "elsewhere", "secret")),
            "new": str(self.new),
            "tcp": tcp.getsockname()[1],
            "udp": self.udp.getsockname()[1],
            "unix": _listening(stack, str(other_folder / "socket")),
            "abstract": _listening(stack, f"\0arena-probe-{token}")[1:],
            "parent": os.getpid(),
            "bystander": _bystander(stack, token),
            "token": token,
            "memory": _LIMITS.memory << 20,
        }

    def play(self, tier: Tier) -> dict[str, str]:
        """Return how each attempt was refused, or empty. Raises OSError without an answer."""
        lifeline, theirs = os.pipe()
        try:
            try:
                process = self._start(tier, theirs)
            finally:
                os.close(theirs)
            try:
                answer = _answer(process)
            finally:
                tier.end(process)
                for pipe in (process.stdin, process.stdout):
                    assert pipe is not None
                    pipe.close()
            if answer.get("next") != _QUESTION + 1 or os.read(lifeline, 5) != b"alive":
                raise OSError(self._last_words() or "the player did not answer")
            return self._observed(answer["refused"], lifeline)
        finally:
            os.close(lifeline)

    def _start(self, tier: Tier, lifeline: int) -> subprocess.Popen[bytes]:
        box = Box(_LIMITS, (self.script,), _ENVIRONMENT, is_python=True, keep_fds=(lifeline,))
        facts = json.dumps(self.facts | {"lifeline": lifeline})
        return subprocess.Popen(  # noqa: S603 (it runs this package's own code)
            tier.command([executable(), "-s", "-P", "-S", str(self.script), facts], box),
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            close_fds=True,
            pass_fds=box.keep_fds,
            start_new_session=True,
            env=dict(box.environment),
        )

    def _last_words(self) -> str:
        self.log.seek(0)
        return "".join(self.log.read().decode(errors="replace").strip().splitlines()[-1:])

    def _observed(self, refused: dict[str, str], lifeline: int) -> dict[str, str]:
        """Return the player's word, corrected by what only the other side can see."""
        lived_on = not (_readable(lifeline, DAEMON_SECONDS) and os.read(lifeline, 1) == b"")
        seen = {
            "write a new file": self.new.exists(),
            "send by udp": _readable(self.udp.fileno(), 0),
            "leave a daemon": lived_on,
        }
        return refused | {name: "" for name, happened in seen.items() if happened}


def _answer(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    """Return the player's answer, or nothing if it ends or takes too long."""
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(BrokenPipeError):
        process.stdin.write(b"%d\n" % _QUESTION)
    text, end = b"", now() + MAX_ATTEMPTS_SECONDS
    while _readable(process.stdout.fileno(), end - now()):
        piece = os.read(process.stdout.fileno(), 1 << 16)
        text += piece
        if not piece or piece.endswith(b"\n"):
            break
    answer: dict[str, Any] = json.loads(text) if text.endswith(b"\n") else {}
    return answer


def _readable(descriptor: int, seconds: float) -> bool:
    return bool(select.select([descriptor], [], [], max(seconds, 0))[0])


def _file(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(0o644)
    return path


def _listening(stack: ExitStack, address: str) -> str:
    """Listen where others of this machine may connect."""
    with suppress(OSError, AttributeError):  # there are no such sockets everywhere
        server = stack.enter_context(socket.socket(socket.AF_UNIX))
        server.bind(address)
        server.listen()
    return address


def _bystander(stack: ExitStack, token: str) -> int:
    """Start an idle process with a secret in its environment."""
    process = subprocess.Popen(  # noqa: S603 (it is this Python)
        [executable(), "-I", "-S", "-c", "import sys; sys.stdin.read()"],
        stdin=subprocess.PIPE,
        env={"TOKEN": token},
        start_new_session=True,
    )
    stack.callback(process.communicate)  # called last: it waits, and closes the pipe
    stack.callback(process.kill)
    return process.pid
