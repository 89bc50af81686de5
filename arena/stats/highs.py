"""Open HiGHS, a solver of linear programs."""

from __future__ import annotations

from typing import Any

from arena.errors import UsageError

#: HiGHS takes a constraint for kept that fails by less.
FEASIBILITY_TOLERANCE = 1e-9


def highs(purpose: str) -> Any:
    """Return the library HiGHS. Raises UsageError without it, which names the purpose."""
    try:
        import highspy
    except ImportError:
        raise UsageError(
            f"{purpose} takes HiGHS, which is not installed: pip install 'proving-arena[solve]'"
        ) from None
    return highspy


def quiet_solver(highspy: Any) -> Any:
    """Return a solver of HiGHS by the simplex method that prints nothing."""
    # Without callbacks HiGHS does not write its version to standard output.
    solver = type("Quiet", (highspy.Highs,), {"enableCallbacks": lambda _: None})()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("solver", "simplex")  # it ends with a basis
    solver.setOptionValue("primal_feasibility_tolerance", FEASIBILITY_TOLERANCE)
    solver.setOptionValue("dual_feasibility_tolerance", FEASIBILITY_TOLERANCE)
    return solver
