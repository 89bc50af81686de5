"""Play a run by machines that nobody trusts: ``arena work URL``.

``arena serve STORE --workers FILE`` hands parts of a run out, and plays a random share of them
again.
"""
