"""Find the plugins that installed packages declare, in the files that installers write.

``importlib.metadata`` finds the same, but importing it takes a third of the time of a short
command. It leaves to that what only that can read, such as a package in a zip file.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any, NamedTuple

#: The ends of the names of folders that describe a package.
_INFORMATION = (".dist-info", ".egg-info")


class PluginDeclaration(NamedTuple):
    """A plugin that a package declares: an entry point.

    ``package`` and ``version`` are empty where an uninstallation was cut short.
    """

    name: str
    value: str
    package: str
    version: str

    @property
    def module(self) -> str:
        """The module that has the plugin, or is it."""
        return self._parts[0]

    def load(self) -> Any:
        """Import the plugin. Raises whatever its module raises."""
        module, attributes = self._parts
        plugin: Any = import_module(module)
        for attribute in filter(None, attributes.split(".")):
            plugin = getattr(plugin, attribute)
        return plugin

    @property
    def _parts(self) -> tuple[str, str]:
        module, _, attributes = self.value.partition("[")[0].partition(":")
        return module.strip(), attributes.strip()


def declared(group: str) -> list[PluginDeclaration]:
    """Return the entry points of a group, each package's once, the first on ``sys.path``."""
    others = [finder for finder in sys.meta_path if hasattr(finder, "find_distributions")]
    if len(others) > 1:  # besides that of folders
        return _by_importlib(group)
    try:
        return [*_in_folders(group)]
    except NotADirectoryError:
        return _by_importlib(group)


def _in_folders(group: str) -> Iterator[PluginDeclaration]:
    """Yield the entry points of packages in folders. Raises NotADirectoryError for a zip file."""
    seen: set[str] = set()
    for folder in sys.path:
        try:
            names = os.listdir(folder or ".")
        except (FileNotFoundError, PermissionError):
            continue
        for name in names:
            stem, end = os.path.splitext(name)
            if end not in _INFORMATION:
                continue
            package = re.sub(r"[-_.]+", "-", stem.partition("-")[0]).lower()
            if package not in seen:
                seen.add(package)
                yield from _package_plugins(os.path.join(folder, name), group)


def _package_plugins(folder: str, group: str) -> Iterator[PluginDeclaration]:
    pairs = [*_pairs(_text(folder, "entry_points.txt"), group)]
    if not pairs:
        return
    lines = (_text(folder, "METADATA") or _text(folder, "PKG-INFO")).partition("\n\n")[0]
    fields = {
        key.strip().lower(): value.strip()
        for key, _, value in (line.partition(":") for line in reversed(lines.splitlines()))
    }
    for name, value in pairs:
        yield PluginDeclaration(name, value, fields.get("name", ""), fields.get("version", ""))


def _pairs(text: str, group: str) -> Iterator[tuple[str, str]]:
    """Yield names and values in one section of a file of entry points."""
    section = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1]
        elif section == group and "=" in line and not line.startswith("#"):
            name, _, value = line.partition("=")
            yield name.strip(), value.strip()


def _text(folder: str, name: str) -> str:
    """Return the text of a file. The result is empty if there is none to read."""
    try:
        with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def _by_importlib(group: str) -> list[PluginDeclaration]:
    from importlib.metadata import entry_points

    plugins = []
    for entry in entry_points(group=group):
        about = entry.dist and entry.dist.metadata
        package, version = (
            ((about and about.get_all(key)) or [""])[0] for key in ("Name", "Version")
        )
        plugins.append(PluginDeclaration(entry.name, entry.value, package, version))
    return plugins
