"""A server of chat completions without a model behind it: it answers with any legal move.

    python3 any_move.py 8000
    arena fight llm,model=any:http://127.0.0.1:8000/v1 monkey

Try your prompts, limits and budgets with it before a model costs something.
"""

import json
import random
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def answer(messages, seed):
    """Return the text that a model would write."""
    lines = [line for each in messages for line in each["content"].splitlines()]
    line = next((line for line in lines if line.startswith("Legal moves:")), "")
    if not line:
        return "The prompt has no line with the legal moves."
    prompt = "\n".join(lines)
    move = random.Random(f"{seed} {prompt}").choice(line.split()[2:])
    return f"Any move will do.\nMOVE: {move}"


class Handler(BaseHTTPRequestHandler):
    """Answers POST /v1/chat/completions."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        """Answer a request as a model's server does."""
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        messages = request["messages"]
        text = answer(messages, request.get("seed"))
        reply = {
            "object": "chat.completion",
            "model": request["model"],
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": text},
                    "finish_reason": "stop",
                }
            ],
            "usage": {
                "prompt_tokens": sum(len(each["content"].split()) for each in messages),
                "completion_tokens": len(text.split()),
            },
        }
        body = json.dumps(reply).encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
        self.wfile.write(f"{head}\r\n\r\n".encode() + body)

    def log_message(self, *_):
        """Print nothing."""


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
