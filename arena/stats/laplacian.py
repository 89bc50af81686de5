"""Linear equations of a network of weighted links, solved without cancellation."""

from __future__ import annotations

from collections.abc import Sequence

Matrix = list[list[float]]


def solve(weights: Sequence[Sequence[float]], sides: Sequence[Sequence[float]]) -> Matrix:
    """Solutions x of sum over j of w_ij (x_i - x_j) = b_i, for each right-hand side b.

    ``weights`` is symmetric and not negative; its diagonal is not read. Each side adds up to zero
    over every connected part, in which one x is zero. Elimination after Grassmann, Taksar and
    Heyman (Operations Research 33, 1985) only adds weights and never subtracts them, so links a
    10^15th as strong as others keep their digits.

    >>> solve([[0, 2], [2, 0]], [[1, -1]])
    [[0.5, 0.0]]
    """
    rows = [list(map(float, row)) for row in weights]
    found = [list(map(float, side)) for side in sides]
    size = len(rows)
    for k, row in enumerate(rows):  # of the upper triangle
        total = sum(row[k + 1 :])
        for i in range(k + 1, size):
            if not row[i]:
                continue
            share = row[i] / total
            links = zip(rows[i][i + 1 :], row[i + 1 :], strict=True)
            rows[i][i + 1 :] = [weight + share * other for weight, other in links]
            for column in found:
                column[i] += share * column[k]
    for k in reversed(range(size)):
        tail = rows[k][k + 1 :]
        total = sum(tail)
        for x in found:
            onward = sum(w * v for w, v in zip(tail, x[k + 1 :], strict=True))
            x[k] = (x[k] + onward) / total if total else 0.0
    return found
