"""Find the project in a folder: the distributions whose source it is."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from configparser import ConfigParser
from importlib.metadata import Distribution, entry_points
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from arena.errors import UsageError
from arena.files import read_bytes
from arena.plugin.markers import PROJECT

#: Larger settings of a project are not read.
MAX_SETTINGS_BYTES = 1 << 20


def normalized(name: str) -> str:
    """Return the one spelling of a distribution's name (PEP 503).

    >>> normalized("My_Bot")
    'my-bot'
    """
    return re.sub(r"[-_.]+", "-", name).lower()


def projects_in(folder: Path) -> frozenset[str]:
    """Return the normalized names of the distributions whose source is the folder.

    These are the one that ``pyproject.toml`` or ``setup.cfg`` names, installed or not, and plugins
    of arena that were installed from there, editable or not (PEP 610). Settings that cannot be
    read name none.
    """
    installed = (entry.dist for entry in entry_points(group=PROJECT))
    names = [*_named_by(folder), *(d.name for d in installed if d and _is_from(d, folder))]
    return frozenset(map(normalized, names))


def _named_by(folder: Path) -> Iterator[str]:
    """Yield the name in each file of settings."""
    for file, read in (("pyproject.toml", tomllib.loads), ("setup.cfg", _read_ini)):
        try:
            settings = read(read_bytes(folder / file, MAX_SETTINGS_BYTES).decode())
            name = settings.get("project" if read is tomllib.loads else "metadata", {}).get("name")
        except (UsageError, ValueError, AttributeError):
            continue
        if isinstance(name, str):
            yield name


def _read_ini(text: str) -> dict[str, dict[str, str]]:
    """Read the settings of setuptools. Raises ValueError for anything else."""
    parser = ConfigParser(interpolation=None)
    try:
        parser.read_string(text)
    except Exception as error:  # configparser.Error is not a ValueError
        raise ValueError(str(error)) from error
    return {name: dict(section) for name, section in parser.items()}


def _is_from(distribution: Distribution, folder: Path) -> bool:
    """Return whether a distribution was installed from the folder, as its installer noted."""
    try:
        noted = json.loads(distribution.read_text("direct_url.json") or "{}")
        url = urlsplit(noted.get("url", ""))
        if url.scheme != "file":
            return False
        source = Path(url2pathname(url.path)) / noted.get("subdirectory", "")
        return bool(source.resolve() == folder.resolve())
    except (ValueError, AttributeError, TypeError, OSError):
        return False
