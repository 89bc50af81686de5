"""Play with language models: ``llm,model=NAME:http://127.0.0.1:8000/v1``.

The server speaks chat completions, as OpenAI's do. ``docs/llm.md`` describes the options.
"""
