"""Play with bots that are HTTP servers: ``http://127.0.0.1:8000``, one POST a move.

``docs/http.md`` describes what a server reads and answers.
"""
