"""One step on 2,000 rows: all the Python between the click and the frames ready to be sent."""

from functools import partial

from timing import alternate

from dtviz import fit, load
from dtviz.data.gallery import example_recipe
from dtviz.engine.grow import decide_all
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules
from dtviz.engine.tree import fold
from dtviz.explain import why
from dtviz.explain.words import stop_reason
from dtviz.models.steps import node_candidates
from dtviz.pictures.packing import pack
from dtviz.pictures.stage import scene_frame
from dtviz.pictures.stage_cuts import StageView, pinned_values
from dtviz.pictures.tree import tree_frame
from dtviz.session.session import Session, go_to_step, step_forward

data = load("moons", n=2000, noise=0.25, seed=7)
rules = Rules()
kept = {}


def future(rules, log, first=None, many=1):
    """The app grows the automatic moves once a time-line and keeps them."""
    if rules not in kept:
        kept[rules] = fit(data, rules).log
    return kept[rules][len(log) :]


def step(session: Session) -> None:
    session = step_forward(session, future)
    tree = fold(Problem(data, Rules(rules.criterion)), session.log)
    problem = Problem(data, rules)
    decisions = decide_all(problem, tree)
    ahead = future(rules, session.log)
    node = ahead[0].node if ahead else 1
    cuts = node_candidates(problem, tree, node)
    why.why(problem, cuts)
    view = StageView(node, cuts, cuts.best, pinned=pinned_values(data))
    pack("stage", scene_frame(data, tree, view, "moons"))
    stops = {k: stop_reason(problem, tree.nodes[k], d.stop) for k, d in decisions.items()}
    pack("tree", tree_frame(problem, tree, stops, focus=node, next_node=node))


start = Session(example_recipe("moons", n=2000, noise=0.25, seed=7), rules)
total = len(future(rules, ()))
for made in (0, 5, 15, total // 2, total - 1):
    session = go_to_step(start, made, future)
    (time,) = alternate(40, partial(step, session))
    print(f"step {made:>3} of {total}: {time:.2f} ms")
