"""Find a perfect matching of the greatest weight in a graph with many edges."""

from __future__ import annotations

from collections.abc import Mapping

from arena.schedules.blossom import Edge, Search

#: Number of edges of each vertex that the search begins with.
NEAREST = 8


def perfect_matching(vertices: int, weights: Mapping[Edge, int]) -> list[int] | None:
    """Return the mate of each vertex in a perfect matching of the greatest sum of weights.

    ``weights`` has each edge once, either way round, between vertices from 0. None if there is no
    perfect matching.

    Most edges of a dense graph are never of use. The search begins with the heaviest ones of each
    vertex. Its dual variables prove that no other edge would help, or name those that might, which
    are added (D. Applegate and W. Cook, Solving large-scale matching problems, 1993).

    >>> perfect_matching(4, {(0, 1): 9, (1, 2): 10, (2, 3): 0, (0, 3): 0})
    [3, 2, 1, 0]
    """
    edges = _heaviest(vertices, weights)
    while True:
        search = Search(vertices, {edge: weights[edge] for edge in edges})
        is_perfect = search.is_successful()
        more = (
            []
            if not is_perfect
            else [edge for edge in weights if search.lacks(edge, weights[edge])]
        )
        if is_perfect and not more:
            return search.mate
        if len(edges) == len(weights):
            return None
        edges.update(more or weights)


def _heaviest(vertices: int, weights: Mapping[Edge, int]) -> set[Edge]:
    """Return the heaviest edges of each vertex."""
    vertex_edges: list[list[Edge]] = [[] for _ in range(vertices)]
    for edge in weights:
        for vertex in edge:
            vertex_edges[vertex].append(edge)
    heaviest: set[Edge] = set()
    for edges in vertex_edges:
        heaviest.update(sorted(edges, key=lambda edge: (-weights[edge], edge))[:NEAREST])
    return heaviest
