"""List the plugins, and describe one."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from arena.errors import UnknownName, UsageError, quoted
from arena.plugin.catalogue import Catalogue, PluginInfo
from arena.plugin.manager import load_catalogue
from arena.records.listings import Details, Listing

if TYPE_CHECKING:
    from arena.records.rows import PluginEntry


def installed_plugins(catalogue: Catalogue | None = None) -> Listing:
    """List the plugins with their hooks, and those that were left out.

    >>> "hooks" in installed_plugins().rows[0]
    True
    """
    catalogue = catalogue or load_catalogue()
    rows = tuple(map(_plugin, catalogue.plugins))
    broken = tuple(asdict(broken) for broken in catalogue.broken)
    return Listing("plugins", rows, ("name", "offers", "from"), broken)


def describe_plugin(plugin: str, catalogue: Catalogue | None = None) -> Details:
    """Return all that is known of a plugin. Raises UsageError for an unknown one.

    A plugin that was left out may be named by its distribution, too.

    >>> describe_plugin("minimax").row["offers"]
    ['player minimax']
    """
    catalogue = catalogue or load_catalogue()
    plugins = {p.name: p for p in catalogue.plugins}
    for broken in catalogue.broken:
        if broken.plugin == plugin or (broken.package == plugin and plugin not in plugins):
            name = quoted(broken.plugin or plugin)
            raise UsageError(f"plugin {name} was left out: {broken.error}")
    if plugin not in plugins:
        left_out = [broken.plugin for broken in catalogue.broken if broken.plugin]
        raise UnknownName("plugin", plugin, plugins, left_out=left_out)
    columns = ("offers", "hooks", "from", "file")
    return Details("plugins", _plugin(plugins[plugin]), columns, title=plugin)


def _plugin(plugin: PluginInfo) -> PluginEntry:
    return {
        "name": plugin.name,
        "package": plugin.package,
        "version": plugin.version,
        "file": plugin.file,
        "hooks": list(plugin.hooks),
        "offers": list(plugin.offers),
        "from": f"{plugin.package} {plugin.version}".strip(),
    }
