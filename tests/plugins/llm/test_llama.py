"""A real model behind a real server: llama.cpp's, with a tiny model of random weights.

It writes noise, so it never names a move. What is tested is the conversation.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import arena
from arena.records import Spending
from tests.processes import wait_until

pytestmark = pytest.mark.nightly

for library in ("llama_cpp.server", "gguf"):
    pytest.importorskip(library, reason="pip install 'llama-cpp-python[server]' gguf")

#: The sizes of the model.
CONTEXT, WIDTH, INNER, LAYERS, HEADS = 4096, 32, 64, 2, 4


def write_model(path: Path) -> None:
    """Write a model whose tokens are bytes and whose weights are random."""
    import gguf
    import numpy as np

    kinds, rng = gguf.TokenType, np.random.default_rng(0)
    tokens = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), "\u2581"]
    bytes_too = [kinds.UNKNOWN, kinds.CONTROL, kinds.CONTROL, *[kinds.BYTE] * 256, kinds.NORMAL]
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_token_types(bytes_too)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_vocab_size(len(tokens))
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    shapes = {"token_embd": (len(tokens), WIDTH), "output": (len(tokens), WIDTH)}
    ones = ["output_norm"]
    for block in (f"blk.{layer}" for layer in range(LAYERS)):
        shapes |= {f"{block}.attn_{part}": (WIDTH, WIDTH) for part in ("q", "k", "v", "output")}
        shapes |= {f"{block}.ffn_{part}": (INNER, WIDTH) for part in ("gate", "up")}
        shapes[f"{block}.ffn_down"] = (WIDTH, INNER)
        ones += [f"{block}.attn_norm", f"{block}.ffn_norm"]
    for name, shape in shapes.items():
        writer.add_tensor(f"{name}.weight", rng.standard_normal(shape).astype(np.float32) / 5)
    for name in ones:
        writer.add_tensor(f"{name}.weight", np.ones(WIDTH, np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def is_listening(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the model, and return the URL."""
    path = tmp_path_factory.mktemp("model") / "tiny.gguf"
    write_model(path)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = ["--model", str(path), "--host", "127.0.0.1", "--port", str(port)]
    command = [sys.executable, "-m", "llama_cpp.server", *words, "--n_ctx", str(CONTEXT)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    with subprocess.Popen(command, env=environment, **quiet) as process:  # type: ignore[call-overload]
        assert wait_until(lambda: is_listening(port), 120)
        time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/v1"
        process.kill()


def fight(url: str, *options: str) -> tuple[dict[str, int], Spending]:
    """Return the forfeits of the model in a pair of games, and what was spent."""
    name = f"llm,{','.join(['model=tiny', 'max-tokens=20', 'rethink=1', *options])}:{url}"
    result = arena.fight(name, "monkey", n=1, seed=1)
    [spent] = result.by_player.spent.values()
    return dict(result.a.forfeits), spent


def test_a_model_of_noise_forfeits(llama: str) -> None:
    forfeits, spent = fight(llama, "price-in=1", "price-out=1", "temperature=0.5", "seed=game")
    assert sum(forfeits.values()) == 2
    assert forfeits.keys() <= {"tokens", "unparsable"}
    assert spent.requests == sum(spent.faults.values()) == 4
    assert spent.tokens_in > 1000
    assert spent.tokens_out >= 4
    assert spent.cost > 0


def test_it_comes_in_pieces_too(llama: str) -> None:
    forfeits, spent = fight(llama, "stream=yes")
    assert sum(forfeits.values()) == 2
    assert spent.requests == 4


def test_a_prompt_that_is_too_long_is_refused(llama: str, tmp_path: Path) -> None:
    system = tmp_path / "system.txt"
    system.write_text("word " * CONTEXT)
    forfeits, spent = fight(llama, f"system={system}")
    assert forfeits == {"refused": 2}
    assert spent.faults == {"refused": 2}
