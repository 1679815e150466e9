"""Frames of a tree (texts and figures of nodes), of branches of the time-line, of many trees.

The last are a layer: many trees over one plane, as tiles and lines that they share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Bools, Floats, Ints
from dtviz.base.lazy import ValueKeeper, keep_nothing
from dtviz.base.progress import Slices
from dtviz.base.text import clean, count, number
from dtviz.data.dataset import Dataset
from dtviz.engine.criteria.criteria import CRITERIA
from dtviz.engine.ensembles import trees
from dtviz.engine.problem import Problem
from dtviz.engine.splits import CutPart, FeaturePlane, Ring, first_part_node, ring_parts
from dtviz.engine.tree import Node, Tree, class_shares, height
from dtviz.evaluate.metrics import data_score
from dtviz.explain.dot import PALETTE
from dtviz.explain.why import impurity_name
from dtviz.explain.words import (
    SYMBOL_WORDS,
    answer_text,
    cost_note,
    node_rows,
    prediction_text,
    projection_text,
    rule_text,
    tie_note,
)
from dtviz.pictures import frame_types
from dtviz.pictures.gains import node_histograms
from dtviz.pictures.regions import StageContext, halves, shapes, shared_lines
from dtviz.pictures.scales import LIGHT, SCALE, Theme, colour_codes, scene_axes
from dtviz.session.branches import count_common_steps, timelines, tip_scores
from dtviz.session.screen import Screen

MAX_NODES = 1_500
"""Nodes of a tree that are sent at most."""
FULL_BAR = 255
"""Parts of a class bar."""
MAX_PREDICTION_LENGTH = 240
"""Characters of a predicted formula or class."""


def tree_frame(
    problem: Problem,
    tree: Tree,
    stops: Mapping[int, str],
    focus: int | None = None,
    next_node: int | None = None,
    theme: Theme = LIGHT,
    keep: ValueKeeper = keep_nothing,
) -> frame_types.TreeFrame:
    """Frame of the tree; `stops` holds the words under each leaf, '' for an open one.

    The nodes stand in preorder. Of more than MAX_NODES nodes the deepest are left out. `keep` has
    the texts of earlier trees of the same data.
    """
    data, rules = problem.data, problem.rules
    max_depth, depths = max_depth_drawn(tree), tree.cut_depths
    sent = [node for node in tree.shown_nodes if max_depth is None or depths[node] <= max_depth]
    model = tree.leaf_model.name

    def texts_of(node: int) -> frame_types.NodeTexts:
        facts = tree.nodes[node], tree.splits.get(node), tree.threshold_neighbours.get(node)
        above = tree.splits.get(node // 2)
        make = partial(node_texts, data, tree, node, stops.get(node))
        return keep(("texts", node), (facts, above, stops.get(node), model), make)

    return {
        "nodes": [texts_of(node) for node in sent],
        "bars": class_bars([tree.nodes[node] for node in sent]),
        "target": clean(data.target),
        "impurity_name": impurity_name(problem),
        "unit": CRITERIA[rules.criterion].impurity.unit,
        "shape": shape_of(data, tree),
        "strips": node_histograms(data, tree, max_depth, keep),
        "unsent_descendants": {
            str(node): n_below for node, n_below in _unsent_descendants(tree, max_depth).items()
        },
        "summary": f"{count(len(tree.rows), 'leaf')}, height {height(tree)}",
        "focus": "" if focus is None else str(focus),
        "next_node": "" if next_node is None else str(next_node),
        "colours": {
            "ink": theme.ink,
            "paper": theme.paper,
            "muted": theme.muted,
            "accent": theme.accent,
        },
    }


def node_texts(data: Dataset, tree: Tree, node: int, stop: str | None) -> frame_types.NodeTexts:
    """Texts of a node; `stop` says why a leaf has no split, '' for an open leaf, None for a split.

    The texts are the id, the rule, the prediction, rows, impurity, the note on costs, the stop, and
    the answer that leads to the node. A multi-way cut is its feature: its answers are the values.
    """
    facts = tree.nodes[node]
    return (
        str(node),  # as text: ids have no bound, unlike the integers of the browser
        _title(data, tree, node) if node in tree.splits else "",
        clean(prediction_text(data, tree.leaf_model, facts), MAX_PREDICTION_LENGTH)
        + tie_note(tree.leaf_model, facts),
        node_rows(facts),
        number(facts.impurity),
        "" if stop is None else cost_note(data, facts),
        stop,
        answer_text(data, tree, node) if node > 1 else "",
    )


def _title(data: Dataset, tree: Tree, node: int) -> str:
    """Rule of a split; of a multi-way cut its feature."""
    projection = tree.splits[node].projection
    if isinstance(projection, CutPart):
        return projection_text(data, projection)
    return rule_text(data, tree, node, SYMBOL_WORDS)


def class_bars(nodes: Sequence[Node]) -> NDArray[np.uint8]:
    """Share of each class in each node, as parts of 255, (m * K,); 1 at least where it has rows."""
    shares = np.array([class_shares(facts) for facts in nodes]).ravel()
    return np.where(shares > 0, np.maximum(np.rint(FULL_BAR * shares), 1), 0).astype(np.uint8)


def shape_of(data: Dataset, tree: Tree) -> frame_types.TreeShape:
    """Depth, rows, purity and colour of each node; a mean has its step on the scale as colour."""
    order, depths = tree.shown_nodes, tree.cut_depths
    facts = [tree.nodes[node] for node in order]
    colours: Sequence[str] = PALETTE if data.classes else SCALE
    codes = colour_codes(data, np.array([node_facts.value for node_facts in facts]))
    return {
        "depth": np.array([depths[node] for node in order], np.int32),
        "rows": np.array([node_facts.n for node_facts in facts], np.int32),
        "purity": np.array(
            [int(100 * _purity(node_facts, tree)) for node_facts in facts], np.uint8
        ),
        "colour_index": (codes % len(colours)).astype(np.uint8),
        "node_colours": colours,
    }


def _purity(node: Node, tree: Tree) -> float:
    """Share of the commonest class; of a number, by what share the root's impurity is lowered."""
    if node.counts:
        return max(node.weight_by_class) / sum(node.weight_by_class)
    root_impurity = tree.nodes[1].impurity
    return min(max(1.0 - node.impurity / root_impurity, 0.0), 1.0) if root_impurity else 1.0


def max_depth_drawn(tree: Tree) -> int | None:
    """Depth down to which the tree is sent; None if all of the tree is."""
    if len(tree.nodes) <= MAX_NODES:
        return None
    depths = tree.cut_depths
    n_nodes = [0] * (height(tree) + 1)
    for node in tree.shown_nodes:
        n_nodes[depths[node]] += 1
    n_drawn = 0
    for level, n_level in enumerate(n_nodes):
        n_drawn += n_level
        if n_drawn > MAX_NODES:
            return level - 1
    return None


def _unsent_descendants(tree: Tree, max_depth: int | None) -> Counter[int]:
    """Number of nodes that are not sent, by the last node above them that is sent."""
    if max_depth is None:
        return Counter()
    depths = tree.cut_depths
    last_sent: dict[int, int] = {}  # of each deep node, which comes after its parent
    for node in tree.shown_nodes:
        if depths[node] > max_depth:
            parent = first_part_node(tree.splits, node // 2)
            last_sent[node] = last_sent.get(parent, parent)
    return Counter(last_sent.values())


def branch_tips_frame(screen: Screen) -> frame_types.BranchTips:
    """Frame of the branches, each with the step at which it leaves the time-line, and all tips."""
    if not screen.session.branches:
        return {"forks": []}
    log, *branches = timelines(screen)
    line_tip, *branch_tips = tip_frames(screen)
    forks: list[frame_types.BranchTip] = [
        {"branch": place, "start_step": count_common_steps(log, branch), **tip}
        for place, (branch, tip) in enumerate(zip(branches, branch_tips, strict=True))
    ]
    return {"tip": line_tip, "forks": forks}


def tip_frames(screen: Screen) -> list[frame_types.Tip]:
    """Tip of the time-line, then those of its branches."""
    score, tips = data_score(screen.data), tip_scores(screen)
    if tips is None:
        words = "not grown to its end" if screen.has_more_steps else "being worked out"
        return [{"error": "", "text": words} for _ in timelines(screen)]
    return [
        {
            "error": score.text(value),
            "text": f"{score.name} {score.text(value)} on {tips.rows_text}",
        }
        for value in tips.scores
    ]


MAX_SPLITS_DRAWN = 30_000
"""Different splits of the trees that are drawn; where there are more, fewer trees are drawn."""
MAX_GHOSTS = 6_000
"""Lines of splits that are drawn at most as ghosts."""
SPLITS_A_SLICE = 200
"""Splits that are worked out between two reports of progress."""
_NO_IDS, _NO_STARTS, _NO_NUMBERS = np.zeros(0, np.int32), np.zeros(1, np.int32), np.zeros(0)
EMPTY_LAYER: frame_types.Layer = {
    "name": "",
    "tiles": {"corners": _NO_NUMBERS, "starts": _NO_STARTS, "code": _NO_IDS},
    "full": _NO_IDS,
    "toggles": _NO_IDS,
    "starts": _NO_STARTS,
    "ghosts": {
        "corners": _NO_NUMBERS,
        "starts": _NO_STARTS,
        "share": _NO_NUMBERS,
        "in_first_tree": np.zeros(0, np.uint8),
    },
}
"""A layer without trees."""


@dataclass(frozen=True, slots=True, eq=False)
class DrawnLayer:
    """A layer with the members that it shows."""

    layer: frame_types.Layer  # its frame
    member_ids: Ints  # the members that are drawn, in the order of the layer, (D,)


def draw_layer(
    name: str, members: trees.TreeArrays, order: Ints, stage: StageContext
) -> Slices[DrawnLayer]:
    """Draw the layer of the members over the plane, in slices of work.

    The members stand in this order; each after the first is sent as its differences from the first.
    Of members with very many splits only the first are drawn. The share of the members that have a
    split counts all members.
    """
    paths, owner, plane = trees.shared_paths(members), member_of_nodes(members), stage.plane
    yield 0.0
    is_inner, is_uniform = paths.fork >= 0, _has_one_class_below(members)
    drawn_members = _members_drawn(order, paths, owner)
    yield 0.0
    member_rank = np.full(len(members) + 1, -1)  # the last entry is for nodes of no member
    member_rank[drawn_members] = np.arange(len(drawn_members))
    node_rank = member_rank.take(owner)
    rings: dict[int, Ring] = {trees.ROOT_PATH: stage.window}
    lines: dict[int, list[Ring]] = {}
    # ghosts count all members: upper splits come first, as forks are numbered from the roots down
    upper_forks = np.arange(min(len(paths.node_of_fork), MAX_GHOSTS))
    fork_ids = np.union1d(upper_forks, paths.fork[is_inner & (node_rank >= 0)]).tolist()
    for k, fork in enumerate(fork_ids):
        node_index = int(paths.node_of_fork[fork])
        ring = rings.get(int(paths.path[node_index]), ())
        children = halves(members.split(node_index), ring, plane) if ring else ((), ())
        rings.update(zip(trees.paths_below(fork), children, strict=True))
        lines[fork] = shared_lines(*children)
        if k % SPLITS_A_SLICE == SPLITS_A_SLICE - 1:
            yield k / len(fork_ids)
    yield 1.0
    is_visible = np.zeros(2 * len(paths.node_of_fork) + 1, np.bool_)
    is_visible[[path_id for path_id, ring in rings.items() if ring]] = True
    leaves = np.flatnonzero(~is_inner & (node_rank >= 0) & is_visible.take(paths.path))
    tiles, tile_ids = _tiles(members, paths.path.take(leaves), leaves, rings, plane)
    first_tiles, *other_tiles = _tiles_by_member(
        tile_ids, node_rank.take(leaves), len(drawn_members)
    )
    toggles = [np.setxor1d(first_tiles, tiles_of, assume_unique=True) for tiles_of in other_tiles]
    is_border = is_inner & ~is_uniform & (owner >= 0)
    in_first = np.isin(np.arange(len(paths.node_of_fork)), paths.fork[is_border & (node_rank == 0)])
    share = np.bincount(paths.fork[is_border], minlength=len(paths.node_of_fork)) / len(members)
    frame: frame_types.Layer = {
        "name": name,
        "tiles": tiles,
        "full": first_tiles,
        "toggles": np.concatenate([first_tiles[:0], *toggles]),
        "starts": np.cumsum([0, *map(len, toggles)]).astype(np.int32),
        "ghosts": _ghosts(lines, share, in_first),
    }
    return DrawnLayer(frame, drawn_members)


def member_of_nodes(members: trees.TreeArrays) -> Ints:
    """Member that each node belongs to, by node index, (m,); -1 for none."""
    owner = np.full(len(members.left), -1)
    owner[members.root_indices] = np.arange(len(members))
    for places in trees.indices_by_depth(members):
        inner = places[members.left.take(places) >= 0]
        left = members.left.take(inner)
        owner[left] = owner[left + 1] = owner.take(inner)
    return owner


def _members_drawn(order: Ints, paths: trees.SharedPaths, owner: Ints) -> Ints:
    """First members in this order that have few enough different splits; two at least."""
    drawn_members = order
    while len(drawn_members) > 2:
        forks = np.unique(paths.fork[np.isin(owner, drawn_members)])
        if len(forks) <= MAX_SPLITS_DRAWN:
            break
        drawn_members = drawn_members[: max(len(drawn_members) // 2, 2)]
    return drawn_members


def _tiles(
    members: trees.TreeArrays,
    path_ids: Ints,
    leaves: Ints,
    rings: Mapping[int, Ring],
    plane: FeaturePlane,
) -> tuple[frame_types.Tiles, Ints]:
    """Different tiles of leaves, which end at the paths `path_ids`, and the tile of each leaf."""
    params = members.params.take(leaves, axis=0)
    is_strip = plane.up is None and not members.data.classes
    predicted = params if is_strip else params[:, :1]
    first_paths: dict[Ring, int] = {}
    unique_ids = np.unique(path_ids).tolist()
    tile_paths = {k: first_paths.setdefault(_canonical_ring(rings[k]), k) for k in unique_ids}
    rows = np.column_stack([[tile_paths[path_id] for path_id in path_ids.tolist()], predicted])
    _, first_leaves, tile_ids = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    tile_rings = [rings[path_id] for path_id in path_ids[first_leaves].tolist()]
    end_predictions: frame_types.OptionalEndPredictions = {}
    if is_strip:
        heights = _end_predictions(members, params[first_leaves], tile_rings, plane)
        end_predictions = {
            "heights": heights,
            "share": np.bincount(tile_ids.ravel()) / len(members),
        }
    code = colour_codes(members.data, params[first_leaves, 0])
    return {**shapes(tile_rings), "code": code, **end_predictions}, tile_ids.ravel()


def _canonical_ring(ring: Ring) -> Ring:
    """Ring that begins at its least corner, so that equal rings of one part compare equal."""
    if len(ring_parts(ring)) > 1:
        return ring
    index = min(range(len(ring)), key=ring.__getitem__)
    return (*ring[index:], *ring[:index])


def _end_predictions(
    members: trees.TreeArrays, params: Floats, rings: Sequence[Ring], plane: FeaturePlane
) -> Floats:
    """Predictions at the left and at the right end of each tile of a strip."""
    ends = np.array([_ends(ring) for ring in rings]).reshape(-1)
    columns = np.repeat(np.array(plane.pinned)[:, None], len(ends), axis=1)
    columns[plane.across] = ends
    model = Problem(members.data, members.rules).leaf_model
    return model.predict(params.repeat(2, axis=0), columns, np.arange(len(ends)))


def _ends(ring: Ring) -> tuple[float, float]:
    """Left and right end of a ring."""
    xs = [corner[0] for part in ring_parts(ring) for corner in part]
    return min(xs), max(xs)


def _tiles_by_member(tile_ids: Ints, member_ids: Ints, n_members: int) -> list[NDArray[np.int32]]:
    """Tiles of each member, ascending."""
    order = np.lexsort((tile_ids, member_ids))
    ends = np.searchsorted(member_ids[order], np.arange(1, n_members))
    return np.split(tile_ids[order].astype(np.int32), ends)


def _ghosts(lines: Mapping[int, list[Ring]], share: Floats, in_first: Bools) -> frame_types.Ghosts:
    """Ghosts of the splits that are borders; of very many the first tree's, then the commonest."""
    ghosts: dict[Ring, tuple[bool, float]] = {}
    for fork, fork_lines in lines.items():
        for line in fork_lines if share[fork] else ():
            line_key = min(line, line[::-1])
            was_first, total = ghosts.get(line_key, (False, 0.0))
            is_first = was_first or bool(in_first[fork])
            ghosts[line_key] = is_first, total + float(share[fork])
    shown = sorted(ghosts, key=lambda line: (not ghosts[line][0], -ghosts[line][1]))[:MAX_GHOSTS]
    return {
        **shapes(shown),
        "share": np.array([ghosts[line][1] for line in shown], np.float64),
        "in_first_tree": np.array([ghosts[line][0] for line in shown], np.uint8),
    }


def _has_one_class_below(members: trees.TreeArrays) -> Bools:
    """Mask of the nodes with one predicted class in all leaves below, (m,): no border is there."""
    is_leaf = members.left < 0
    model = Problem(members.data, members.rules).leaf_model
    if model.linear_score is not None or not members.data.classes:
        return np.zeros(len(is_leaf), np.bool_)
    value, is_pure = members.params[:, 0].copy(), is_leaf.copy()
    for places in reversed([*trees.indices_by_depth(members)]):
        inner = places[~is_leaf[places]]
        left = members.left.take(inner)
        value[inner] = value[left]
        is_pure[inner] = is_pure[left] & is_pure[left + 1] & (value[left] == value[left + 1])
    return is_pure


CELLS, STRIP_CELLS = 96, 400
"""Default numbers of cells: across and up of a plane, and across of a strip."""


def default_cells(data: Dataset) -> int:
    """Default number of cells across the picture."""
    return STRIP_CELLS if len(data.features) == 1 else CELLS


def plane_points(
    data: Dataset, axes: tuple[int, int], pinned: Floats, cells: int | None = None
) -> Floats:
    """Columns of the middles of all cells of the plane, (M, cells): `cells` across and up.

    The cells stand row by row from below; over one feature there is a single row. The other
    features are pinned.
    """
    cells = default_cells(data) if cells is None else cells
    across, up = scene_axes(data, axes)
    x, y = (
        cell_middles(across["low"], across["high"], cells),
        cell_middles(up["low"], up["high"], cells),
    )
    n_cells = cells if len(data.features) == 1 else cells * cells
    columns = np.repeat(pinned[:, None], n_cells, axis=1)
    columns[axes[0] if len(data.features) > 1 else 0] = np.tile(x, n_cells // cells)
    if len(data.features) > 1:
        columns[axes[1]] = np.repeat(y, cells)
    categories = [*map(bool, data.levels)]
    columns[categories] = np.floor(
        columns[categories] + 0.5
    )  # the code of the band that the middle lies in
    return columns


def cell_middles(low: float, high: float, cells: int) -> Floats:
    """Middles of `cells` equal parts of a range."""
    share = (np.arange(cells) + 0.5) / cells
    return np.asarray(low * (1 - share) + high * share)  # high - low may be beyond any float
