"""Play with players that are WebAssembly modules, measured in fuel and not in seconds.

A module runs in arena's process, walled in by wasmtime: it reaches nothing but its own memory and
the draws that arena makes for it. See docs/wasm.md for what it exports.
"""
