"""Compare what two machines have: the same games need the same code.

A player that computes by matrices rounds by the type of the processor and by the library too. So
machines that differ in these may play other games: that is said, and they play.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from hashlib import blake2b, file_digest
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from importlib.util import find_spec
from pathlib import Path

from arena import errors
from arena.errors import ArenaError
from arena.plugins.dask.parcels import Parcel
from arena.sandbox.choice import TIER_ORDER, choose_tier

#: Packages of arena's that may come with it.
_APART = ("players", "plugins", "reports")

#: The word before the tier of an isolated player.
_TIER = "isolation "

#: Before the digest of a program, or of a file among its words.
_CONTENT = "content of "

#: Before the processors and libraries by which a player's sums are rounded.
_ROUNDS = "rounding by "

#: The libraries that may compute a player's moves, and those that may do it on other processors.
_LIBRARIES = ("numpy", "scipy", "torch", "jax", "tensorflow", "onnxruntime")
_GRAPHICAL = {"torch", "jax", "tensorflow", "onnxruntime"}

#: The instructions of a processor for several floats at once, which decide in which order it adds
#: them.
_VECTORS = ("fma", "avx2", "avx512f", "amx_tile", "asimd", "sve", "sve2")

#: Where Linux describes processors, and the driver of a vendor its own.
_CPUS = Path("/proc/cpuinfo")
_GPUS = Path("/proc/driver/nvidia/gpus")


def question(parcel: Parcel, rounds_by_machine: bool) -> dict[str, list[str]]:
    """Return what a machine is asked that is to play what is in a parcel.

    If results go by how a machine rounds, it is asked for NumPy and the libraries loaded here.
    """
    libraries = [name for name in _LIBRARIES if name == "numpy" or name in sys.modules]
    return {
        "modules": list(parcel.modules),
        "programs": list(parcel.programs),
        "tiers": list(parcel.tiers),
        "libraries": libraries if rounds_by_machine else [],
    }


def facts(questions: dict[str, list[str]]) -> dict[str, str]:
    """Return what this machine has of what it is asked for."""
    answers = {"Python": ".".join(platform.python_version_tuple()[:2]), "arena": _arena()}
    others = (name for name in questions["modules"] if not name.startswith("arena."))
    answers |= {f"module {name}": _module(name) for name in others}
    answers |= {f"program {path}": _program(path) for path in questions["programs"]}
    answers |= {f"{_CONTENT}{path}": _content(path) for path in questions["programs"]}
    answers |= {f"{_TIER}{tier}": _tier(tier) for tier in questions["tiers"] if tier != "none"}
    return answers | {
        f"{_ROUNDS}{name}": rounding_facts
        for name, rounding_facts in _rounding(questions["libraries"])
    }


def difference(local: dict[str, str], remote: dict[str, str]) -> str:
    """Return the first difference that keeps a machine from playing the same games. The result is
    empty if none.

    >>> difference({"Python": "3.12"}, {"Python": "3.11"})
    'has Python 3.11, here it is 3.12'
    """
    for name, value in local.items():
        other = remote.get(name, "missing")
        if name.startswith((_ROUNDS, _CONTENT)):
            continue
        if name.startswith(_TIER) and {value, other} <= set(TIER_ORDER):
            if TIER_ORDER.index(other) < TIER_ORDER.index(value):
                return f"isolates players by {other} only, here it is {value}"
        elif value != other:
            return f"has {name} {other}, here it is {value}"
    return ""


def other_programs(local: dict[str, str], remote: dict[str, str]) -> str:
    """Return which programs of a machine are not those of here. The result is empty if all are.

    A machine may have its own build of a program, so it plays.

    >>> other_programs({"content of /bot": "1f"}, {"content of /bot": "2e"})
    'has another program /bot than here'
    """
    programs = [
        f"another program {name.removeprefix(_CONTENT)} than here"
        for name, value in local.items()
        if name.startswith(_CONTENT) and remote.get(name) != value
    ]
    return "has " + "; ".join(programs) if programs else ""


def rounding(local: dict[str, str], remote: dict[str, str]) -> str:
    """Return in which ways a machine may round otherwise. The result is empty if in none that is
    known.

    >>> rounding({"rounding by numpy": "2.4.6"}, {"rounding by numpy": "1.26.4"})
    'has numpy 1.26.4, here it is 2.4.6'
    """
    ways = [(name, value, remote.get(name, "missing")) for name, value in local.items()]
    differences = [
        f"{name.removeprefix(_ROUNDS)} {other}, here it is {value}"
        for name, value, other in ways
        if name.startswith(_ROUNDS) and value != other
    ]
    return "has " + "; ".join(differences) if differences else ""


def _rounding(libraries: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the processors and libraries of this machine with their types and versions."""
    if libraries:
        yield "processor", _processor()
    if _GRAPHICAL.intersection(libraries):
        yield "graphics", _graphics()
    for name in libraries:
        yield name, _version(name).strip() or "missing"


def _processor() -> str:
    """Return the type of the processor as Linux writes it, or as Python knows it."""
    fields = dict[str, str]()
    with suppress(OSError):
        for line in _lines(_CPUS):
            name, _, value = line.partition(":")
            fields[name.strip()] = value.strip()
    parts = ("model name", "cpu family", "model", "CPU implementer", "CPU part")
    words = [platform.machine(), *(fields[part] for part in parts if part in fields)]
    flags = fields.get("flags", fields.get("Features", "")).split()
    vectors = [name for name in _VECTORS if name in flags]
    return " ".join([*words, *vectors] if fields else [*words, platform.processor()]).strip()


def _graphics() -> str:
    """Return the types of the graphics processors, each once."""
    models = set()
    for file in _GPUS.glob("*/information"):
        with suppress(OSError):
            models |= {line.partition(":")[2].strip() for line in _lines(file) if "Model" in line}
    return ", ".join(sorted(models)) or "none"


def _lines(file: Path) -> list[str]:
    return file.read_text(errors="replace").splitlines()


@cache
def _arena() -> str:
    """Return arena's version and a digest of its code, wherever its folders are."""
    package = Path(errors.__file__).parent
    digest = blake2b(digest_size=4)
    for part in ("", *_APART):
        folder = (package / part).resolve()
        for file in sorted(folder.rglob("*.py")):
            name = file.relative_to(folder)
            if part or name.parts[0] not in _APART:
                digest.update(f"{part}/{name.as_posix()}\0".encode())
                digest.update(file.read_bytes())
    return f"{_version('arena')}({digest.hexdigest()})"


@cache
def _module(name: str) -> str:
    """Return the version of a module's package and a digest of its file."""
    try:
        spec = find_spec(name)
    except (ImportError, ValueError, AttributeError):
        spec = None
    if spec is None:
        return "missing"
    code = b""
    if spec.origin is not None and os.path.isfile(spec.origin):
        code = Path(spec.origin).read_bytes()
    return f"{_version(name.partition('.')[0])}({blake2b(code, digest_size=4).hexdigest()})"


def _version(package: str) -> str:
    for name in packages_distributions().get(package, ()):
        try:
            return f"{version(name)} "
        except PackageNotFoundError:
            continue
    return ""


def _program(path: str) -> str:
    return "there" if os.path.isfile(path) or os.path.isdir(path) else "missing"


def _content(path: str) -> str:
    """Return a digest of a file. The result is empty for a folder, and for what cannot be read."""
    try:
        with open(path, "rb") as file:
            return file_digest(file, "sha256").hexdigest()[:16]
    except OSError:
        return ""


def _tier(level: str) -> str:
    try:
        return choose_tier(level).name
    except ArenaError as error:
        return f"missing ({error})"
