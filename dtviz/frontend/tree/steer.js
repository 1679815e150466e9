// Pointer and keys on the tree: which node is meant, and what is asked of it.

/** Bind them; `choose`, `fold`, `hover`, `go` and `fit` are what the tree does. */
export function steer(tree, { choose, fold, hover, go, fit }) {
  const { box, viewer } = tree;

  box.addEventListener("pointerover", (event) => hover(tree, nodeOf(event)));
  box.addEventListener("pointerleave", () => hover(tree, null));
  box.addEventListener("click", (event) => {
    const id = nodeOf(event);
    if (!id || viewer.view.dragged) return;
    if (event.composedPath().some((one) => one.classList?.contains("fold"))) fold(tree, id);
    else choose(tree, id);
  });
  box.addEventListener("focusin", (event) => {
    const id = nodeOf(event);
    if (!id) return;
    tree.active = id;
    if (event.composedPath()[0].matches(":focus-visible")) hover(tree, id);
  });
  box.addEventListener("focusout", (event) => {
    if (!box.contains(event.relatedTarget)) hover(tree, null);
  });
  box.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !nodeOf(event)) return;
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation(); // the page's own arrow keys step along the time-line
    act();
  });

  const acts = {
    Enter: () => choose(tree, tree.active),
    " ": () => fold(tree, tree.active),
    ArrowUp: () => go(tree, tree.nodes.get(tree.active).parent),
    ArrowDown: () => go(tree, tree.nodes.get(tree.active).children[0]),
    ArrowLeft: () => go(tree, beside(tree, -1)),
    ArrowRight: () => go(tree, beside(tree, 1)),
    Home: () => go(tree, "1"),
    "+": viewer.larger,
    "=": viewer.larger,
    "-": viewer.smaller,
    0: () => fit(tree),
  };
}

function nodeOf(event) {
  const group = event.composedPath().find((one) => one.classList?.contains("node"));
  return group ? group.id.slice(1) : null;
}

/** The neighbour on the same level. */
function beside({ nodes, ids, active }, by) {
  const { level } = nodes.get(active);
  const row = ids.filter((id) => nodes.get(id).level === level);
  return row[row.indexOf(active) + by];
}
