"""Exports and rules of full trees: the time a node, in a small tree and in a large one."""

from timing import alternate, noisy_plane

from dtviz import Model, Rules, fit
from dtviz.explain.export import TREE_KINDS

TASKS = [*TREE_KINDS, "rules"]


def written(model: Model, kind: str) -> None:
    """Write a tree as one of TASKS."""
    _ = model.rules() if kind == "rules" else model.export(kind)


for missing in ("learned", "surrogates"):
    trees = [fit(noisy_plane(n), Rules(missing=missing)) for n in (800, 64_000)]
    nodes = [len(model.tree.nodes) for model in trees]
    for kind in TASKS:
        tasks = [lambda m=model, k=kind: written(m, k) for model in trees]
        small, large = (
            1e3 * time / size for time, size in zip(alternate(3, *tasks), nodes, strict=True)
        )
        print(
            f"{missing:10} {kind:9} {nodes[0]:,} nodes {small:5.1f} µs a node, "
            f"{nodes[1]:,} nodes {large:5.1f} µs, ratio {large / small:.2f}"
        )
