"""Make WebAssembly modules for tests from their text form."""

from __future__ import annotations

from pathlib import Path

#: A module: what it imports, one page of memory, its buffer at 1024, and its functions.
FRAME = """(module
  (import "arena" "random" (func $random (param i32) (result i32)))
  (memory (export "memory") 1)
  (global $moves (mut i32) (i32.const 0))
  (global $end (mut i32) (i32.const 0))
  (func $count (param $text i32) (param $length i32) (result i32)
    (local.set $length (i32.add (local.get $text) (local.get $length)))
    (global.set $moves (i32.const 1))
    (block $done (loop $next
      (br_if $done (i32.ge_u (local.get $text) (local.get $length)))
      (br_if $done (i32.eq (i32.load8_u (local.get $text)) (i32.const 10)))
      (if (i32.eq (i32.load8_u (local.get $text)) (i32.const 32))
        (then (global.set $moves (i32.add (global.get $moves) (i32.const 1)))))
      (local.set $text (i32.add (local.get $text) (i32.const 1)))
      (br $next)))
    (global.get $moves))
  (func (export "buffer") (param i32) (result i32) BUFFER)
  (func $choose (export "choose") (param $text i32) (param $length i32) (result i32) CHOOSE)
  MORE)"""

#: Bodies of `choose`: the first legal move, and any of them.
FIRST = "(i32.const 0)"
ANY = "(call $random (call $count (local.get $text) (local.get $length)))"
FOREVER = "(loop $again (br $again)) (i32.const 0)"


def text_of(choose: str = FIRST, more: str = "", buffer: str = "(i32.const 1024)") -> str:
    """Return the text of a module with this body of `choose`, and more parts."""
    return FRAME.replace("BUFFER", buffer).replace("CHOOSE", choose).replace("MORE", more)


def write(path: Path, text: str) -> str:
    """Write the module of a text, and return how a player of it is named."""
    from wasmtime import wat2wasm

    path.write_bytes(bytes(wat2wasm(text)))
    return f"./{path.name}"
