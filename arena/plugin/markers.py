"""The two pluggy markers: ``hookimpl`` for plugins, ``hookspec`` for arena's own hooks."""

import pluggy

#: The name that plugins share with arena: the hooks' prefix and the entry point group.
PROJECT = "arena"

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)
