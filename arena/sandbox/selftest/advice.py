"""Advise when a tier is not available: a line for each known refusal."""

from __future__ import annotations

#: Part of a refusal, and the remedy.
_REMEDIES = (
    (
        "only Linux",
        "use tier process, for code that you trust (docs/stability.md says what works where)",
    ),
    (
        "Windows",
        "use --isolation none, for files that you trust (docs/stability.md says what works where)",
    ),
    ("is not installed", "install it: apt install bubblewrap, or dnf install bubblewrap"),
    (
        "setting up uid map",
        "ubuntu restricts user namespaces: give bwrap an AppArmor profile that allows `userns`, or"
        " run `sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`",
    ),
    (
        "RTM_NEWADDR",
        "ubuntu restricts user namespaces: give bwrap an AppArmor profile that allows `userns`, or"
        " run `sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`",
    ),
    (
        "namespace",
        "this system or container does not allow namespaces: use tier locked, or start the"
        " container with `--security-opt seccomp=unconfined`",
    ),
    (
        "no Landlock",
        "needs Linux 5.13 or newer with `landlock` among the security modules (kernel parameter"
        " `lsm=`), and a container that allows it",
    ),
    (
        "Permission denied",
        "let all users read the player's files and the interpreter, or do not run arena as root",
    ),
)


def advice(problem: str) -> str:
    """Return a line about what to do about a problem; empty if nothing is known."""
    return next((remedy for sign, remedy in _REMEDIES if sign in problem), "")
