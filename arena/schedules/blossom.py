"""Search a graph for a perfect matching of the greatest weight: Edmonds' blossom algorithm.

Trees of alternating paths grow from every vertex without a mate, along edges whose slack is zero,
and dual variables give up slack where none is left. An odd cycle becomes one vertex, a blossom
(J. Edmonds, Maximum matching and a polyhedron with 0,1-vertices, 1965; Z. Galil, Efficient
algorithms for finding maximum matching in graphs, ACM Computing Surveys 18, 1986). All numbers are
integers: nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

#: A vertex and its neighbour.
Edge = tuple[int, int]

_FREE, _OUTER, _INNER = range(3)


class _Blossom:
    """A vertex, or an odd cycle of blossoms, of which all vertices but the base have mates in it.

    ``edges[i]`` leads from ``children[i]`` to the next one. The first child has the base.
    """

    __slots__ = ("base", "children", "dual", "edges", "entry", "label", "parent")

    def __init__(self, base: int, children: list[_Blossom], edges: list[Edge]) -> None:
        self.base, self.children, self.edges = base, children, edges
        self.parent: _Blossom | None = None
        self.dual = 0
        self.label = _FREE
        #: The edge from its parent in the tree to it; None for a root.
        self.entry: Edge | None = None

    def vertices(self) -> Iterator[int]:
        if not self.children:
            yield self.base
        for child in self.children:
            yield from child.vertices()

    def reach(self, label: int, entry: Edge | None) -> None:
        self.label, self.entry = label, entry


class BlossomSearch:
    """A search with these edges alone."""

    def __init__(self, vertices: int, weights: Mapping[Edge, int]) -> None:
        self.mate = [-1] * vertices
        self.leaves = [_Blossom(vertex, [], []) for vertex in range(vertices)]
        #: The outermost blossom of each vertex.
        self.top = list(self.leaves)
        # Twice the weights and even variables at the start: half a slack stays an integer.
        self.doubled: list[dict[int, int]] = [{} for _ in range(vertices)]
        for (a, b), weight in weights.items():
            self.doubled[a][b] = self.doubled[b][a] = 4 * weight
        self.dual = [max(edges.values(), default=0) // 2 for edges in self.doubled]
        self.waiting: list[int] = []

    def is_successful(self) -> bool:
        """Search, and return whether every vertex has a mate."""
        for vertex, edges in enumerate(self.doubled):
            for other in edges:
                if self.mate[vertex] == self.mate[other] == -1 and not self.slack(vertex, other):
                    self.mate[vertex], self.mate[other] = other, vertex
        while -1 in self.mate:
            if not self._augmented():
                return False
        return True

    def lacks(self, edge: Edge, weight: int) -> bool:
        """Return whether an edge that the search did not have might improve what it found."""
        a, b = edge
        slack = self.dual[a] + self.dual[b] - 4 * weight
        if slack >= 0:
            return False
        around = set(self._around(a))
        return slack + 2 * sum(each.dual for each in self._around(b) if each in around) < 0

    def _around(self, vertex: int) -> Iterator[_Blossom]:
        blossom = self.leaves[vertex].parent
        while blossom is not None:
            yield blossom
            blossom = blossom.parent

    def slack(self, a: int, b: int) -> int:
        """Return the slack of an edge between two outermost blossoms."""
        return self.dual[a] + self.dual[b] - self.doubled[a][b]

    def _augmented(self) -> bool:
        """Grow trees until two of them meet, and return whether they do."""
        for blossom in self.top:
            blossom.reach(_FREE, None)
        self.waiting = []
        for vertex, mate in enumerate(self.mate):
            if mate == -1:
                self._reach_outer(self.top[vertex], None)
        while True:
            while self.waiting:
                if self._scan(self.waiting.pop()):
                    return True
            if not self._adjusted():
                return False

    def _reach_outer(self, blossom: _Blossom, entry: Edge | None) -> None:
        blossom.reach(_OUTER, entry)
        self.waiting.extend(blossom.vertices())

    def _reach_inner(self, entry: Edge) -> None:
        """Add to the tree the blossom to which an edge leads, and that of its mate."""
        blossom = self.top[entry[1]]
        blossom.reach(_INNER, entry)
        mate = self.mate[blossom.base]
        self._reach_outer(self.top[mate], (blossom.base, mate))

    def _scan(self, vertex: int) -> bool:
        """Follow the edges without slack from an outer vertex. Return whether a path was found."""
        for other in self.doubled[vertex]:
            blossom, neighbour = self.top[vertex], self.top[other]
            if blossom is neighbour or neighbour.label == _INNER or self.slack(vertex, other):
                continue
            if neighbour.label == _FREE:
                self._reach_inner((vertex, other))
                continue
            common = self._common(blossom, neighbour)
            if common is None:
                self._augment(vertex, other)
                return True
            self._shrink(common, (vertex, other))
        return False

    def _above(self, outer: _Blossom) -> _Blossom | None:
        """Return the next outer blossom towards the root."""
        if outer.entry is None:
            return None
        inner = self.top[outer.entry[0]]
        assert inner.entry is not None
        return self.top[inner.entry[0]]

    def _common(self, one: _Blossom | None, other: _Blossom | None) -> _Blossom | None:
        """Return where the paths to the roots meet, or None if the roots differ."""
        seen: set[_Blossom] = set()
        while one is not None:
            if one in seen:
                return one
            seen.add(one)
            one = self._above(one)
            if other is not None:
                one, other = other, one
        return None

    def _path(self, blossom: _Blossom, root: _Blossom) -> Iterator[tuple[_Blossom, Edge]]:
        """Yield the blossoms from one up to, and without, another, with their entries."""
        while blossom is not root:
            assert blossom.entry is not None
            yield blossom, blossom.entry
            blossom = self.top[blossom.entry[0]]

    def _shrink(self, root: _Blossom, edge: Edge) -> None:
        """Make one outer blossom of the cycle that an edge closes."""
        down = list(self._path(self.top[edge[0]], root))[::-1]
        up = list(self._path(self.top[edge[1]], root))
        children = [root, *(child for child, _ in down), *(child for child, _ in up)]
        edges = [*(entry for _, entry in down), edge, *((b, a) for _, (a, b) in up)]
        blossom = _Blossom(root.base, children, edges)
        blossom.reach(_OUTER, root.entry)
        for child in children:
            child.parent = blossom
            if child.label == _INNER:
                self.waiting.extend(child.vertices())
        for vertex in blossom.vertices():
            self.top[vertex] = blossom

    def _expand(self, blossom: _Blossom) -> None:
        """Make the children of an inner blossom outermost, and lead its tree through them."""
        assert blossom.entry is not None
        for child in blossom.children:
            child.parent = None
            child.reach(_FREE, None)
            for vertex in child.vertices():
                self.top[vertex] = child
        entry = blossom.entry
        place, step = _way(blossom, self.top[entry[1]])
        while place:
            self._reach_inner(entry)
            entry = _edge(blossom, place + step, step)
            place += 2 * step
        blossom.children[0].reach(_INNER, entry)

    def _adjusted(self) -> bool:
        """Change the dual variables until there is a new edge. Return whether that is possible."""
        least, tight = self._nearest()
        outermost = {blossom for blossom in self.top if blossom.children}
        spent = None
        for blossom in outermost:
            if blossom.label == _INNER and (least == -1 or blossom.dual < least):
                least, spent = blossom.dual, blossom
        if least == -1:
            return False
        signs = {_FREE: 0, _OUTER: least, _INNER: -least}
        for vertex, blossom in enumerate(self.top):
            self.dual[vertex] -= signs[blossom.label]
        for blossom in outermost:
            blossom.dual += signs[blossom.label]
        if spent is not None:
            self._expand(spent)
        else:
            self.waiting.extend(tight)
        return True

    def _nearest(self) -> tuple[int, list[int]]:
        """Return the change after which an edge has no slack, and the outer vertices of such edges.

        The change is -1 if there is no edge from a tree to another one, or to a free vertex.
        """
        least, tight = -1, []
        labels = [blossom.label for blossom in self.top]
        for vertex, edges in enumerate(self.doubled):
            if labels[vertex] != _OUTER:
                continue
            own_blossom, dual = self.top[vertex], self.dual[vertex]
            for other, doubled in edges.items():
                label = labels[other]
                if label == _INNER or self.top[other] is own_blossom:
                    continue
                slack = dual + self.dual[other] - doubled
                if label == _OUTER:
                    slack //= 2  # both ends move
                if least == -1 or slack < least:
                    least, tight = slack, [vertex]
                elif slack == least:
                    tight.append(vertex)
        return least, tight

    def _augment(self, a: int, b: int) -> None:
        """Give mates to both roots: swap the edges on the path through an edge between trees."""
        for vertex, mate in ((a, b), (b, a)):
            while True:
                outer = self.top[vertex]
                self._rebase(outer, vertex)
                self.mate[vertex] = mate
                if outer.entry is None:
                    break
                inner = self.top[outer.entry[0]]
                assert inner.entry is not None
                vertex, mate = inner.entry
                self._rebase(inner, mate)
                self.mate[mate] = vertex

    def _rebase(self, blossom: _Blossom, vertex: int) -> None:
        """Swap the edges in a blossom so that this vertex is its base."""
        if not blossom.children:
            return
        child = self.leaves[vertex]
        while child.parent is not blossom:
            assert child.parent is not None
            child = child.parent
        self._rebase(child, vertex)
        first = blossom.children.index(child)
        place, step = _way(blossom, child)
        while place:
            a, b = _edge(blossom, place + step, step)
            place += 2 * step
            self._rebase(blossom.children[place - step], a)
            self._rebase(blossom.children[place], b)
            self.mate[a], self.mate[b] = b, a
        blossom.children = blossom.children[first:] + blossom.children[:first]
        blossom.edges = blossom.edges[first:] + blossom.edges[:first]
        blossom.base = vertex


def _way(blossom: _Blossom, child: _Blossom) -> tuple[int, int]:
    """Return the place of a child and the step that leads to place 0 in an even number of steps."""
    place = blossom.children.index(child)
    return (place - len(blossom.children), 1) if place % 2 else (place, -1)


def _edge(blossom: _Blossom, place: int, step: int) -> Edge:
    """Return the edge from the child in a place to the next one in that direction."""
    if step == 1:
        return blossom.edges[place]
    a, b = blossom.edges[place - 1]
    return b, a


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
        search = BlossomSearch(vertices, {edge: weights[edge] for edge in edges})
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
