"""Compare what two machines have: the same games need the same code."""

from __future__ import annotations

import os
import platform
from functools import cache
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from importlib.util import find_spec
from pathlib import Path

from arena import errors
from arena.errors import ArenaError
from arena.plugins.dask.parcels import Parcel
from arena.sandbox.choice import ORDER, choose_tier

#: Packages of arena's that may stand beside it.
_APART = ("players", "plugins", "reports")

#: Before the tier by which an isolated player is kept apart.
_TIER = "isolation "


def question(parcel: Parcel) -> dict[str, list[str]]:
    """Return what a machine is asked that is to play what is in a parcel."""
    return {
        "modules": list(parcel.modules),
        "programs": list(parcel.programs),
        "tiers": list(parcel.tiers),
    }


def facts(asked: dict[str, list[str]]) -> dict[str, str]:
    """Return what this machine has of what it is asked for."""
    found = {"Python": ".".join(platform.python_version_tuple()[:2]), "arena": _arena()}
    others = (name for name in asked["modules"] if not name.startswith("arena."))
    found |= {f"module {name}": _module(name) for name in others}
    found |= {f"program {path}": _program(path) for path in asked["programs"]}
    return found | {f"{_TIER}{tier}": _tier(tier) for tier in asked["tiers"] if tier != "none"}


def difference(here: dict[str, str], there: dict[str, str]) -> str:
    """Return the first difference that keeps a machine from playing the same games; empty if none.

    >>> difference({"Python": "3.12"}, {"Python": "3.11"})
    'has Python 3.11, here it is 3.12'
    """
    for name, own in here.items():
        other = there.get(name, "missing")
        if name.startswith(_TIER) and {own, other} <= set(ORDER):
            if ORDER.index(other) < ORDER.index(own):
                return f"isolates players by {other} only, here it is {own}"
        elif own != other:
            return f"has {name} {other}, here it is {own}"
    return ""


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


def _tier(asked: str) -> str:
    try:
        return choose_tier(asked).name
    except ArenaError as error:
        return f"missing ({error})"
