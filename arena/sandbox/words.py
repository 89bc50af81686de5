"""Name what isolates players that have no process of their own, as records do."""

from __future__ import annotations

#: A player that is a server: it runs where its user started it.
ELSEWHERE = "http"

#: A player that is a WebAssembly module. The user may ask for this tier, and for modules alone.
WASM = "wasm"
