"""How fast the page Overfit is: a slider in Chromium, moving along the curve, the folds' errors.

slider          from the click on the slider max_depth, at 1 to 20, to the frame after which the
                pictures show that depth, and to the one that shows the server's answer as well
                (sentence, curves of the other axes, panels); as the page opens, with Pruning open,
                and without panels
preview         moving along the curve, a step a frame: the work of a move to another place until
                all is drawn again, and the time from one frame to the next
folds           all errors of ten folds along an axis, against scikit-learn refitting the same
                folds at the same values; median of alternating runs
path            the path of alphas of a full tree, grown and pruned, against scikit-learn's
"""

from collections.abc import Generator
from itertools import product
from time import sleep
from typing import Any

import numpy as np
from paint import FIND, chromium, free_port, say, start
from playwright.sync_api import Browser, Page, sync_playwright
from sklearn.tree import DecisionTreeClassifier
from timing import alternate

from dtviz import load
from dtviz.data.dataset import Dataset
from dtviz.engine.grow import full_tree
from dtviz.engine.problem import Problem
from dtviz.engine.prune import PruningPath, alpha_path
from dtviz.engine.rules import Rules
from dtviz.evaluate.curves import AXES, fold_errors, folded_parts

QUERY = "data=moons&n=2000&noise=0.3&seed=7"
STEPS = 20
PAGES = (
    ("as it opens", "", ""),
    ("Pruning open", "Pruning", ""),
    ("no panels", "", "&hide=panels"),
)
FOLDS = 10
WATCH = """
() => {
  window.painted = new Promise((done) => {
    const told = () => picture("overfit").querySelector(".told").textContent;
    const step = () => picture("overfit").dataset.step;
    const before = [told(), step()];
    let shown = null;
    const look = (begun) => {
      if (shown === null && told() !== before[0])
        requestAnimationFrame(() => { shown = performance.now() - begun; });
      if (shown === null || step() === before[1]) requestAnimationFrame(() => look(begun));
      else requestAnimationFrame(() => done([shown, performance.now() - begun]));
    };
    const pressed = () => look(performance.now());
    window.addEventListener("pointerdown", pressed, { capture: true, once: true });
  });
}
"""
PREVIEW = """
() => new Promise((done) => {
  const slider = picture("overfit").querySelector(".slider");
  const { left, top, width } = slider.getBoundingClientRect();
  const [work, frames] = [[], []];
  let [last, moves] = [null, 0];
  const move = (now) => {
    if (last !== null) frames.push(now - last);
    last = now;
    const [start, { at }] = [performance.now(), picture("overfit").dataset];
    slider.dispatchEvent(new PointerEvent("pointermove", {
      clientX: left + 50 + ((width - 70) * (moves++ % 40)) / 40,
      clientY: top + 60, bubbles: true, composed: true,
    }));
    if (picture("overfit").dataset.at !== at) work.push(performance.now() - start);
    if (moves < 300) requestAnimationFrame(move);
    else done([work, frames]);
  };
  requestAnimationFrame(move);
})
"""


def opened(browser: Browser, port: int, query: str) -> Page:
    page = browser.new_page(viewport={"width": 1280, "height": 720}, bypass_csp=True)
    page.add_init_script(FIND)
    page.goto(f"http://localhost:{port}/overfit?{query}")
    page.wait_for_function("picture('overfit')?.querySelector('.told')?.innerText.includes('mean')")
    sleep(1)
    return page


def slid(page: Page) -> list[list[float]]:
    """Times of a click at each depth on the slider, until painted and until answered."""
    dial = page.locator("label[data-rule=max_depth] input")
    last = int(dial.get_attribute("max") or 0)
    times = []
    for depth in range(2, STEPS + 2):
        box = dial.bounding_box()
        assert box
        page.evaluate(WATCH)
        along = 8 + (box["width"] - 16) * (depth - 1) / last  # the thumb is 16 pixels wide
        page.mouse.click(box["x"] + along, box["y"] + box["height"] / 2)
        times.append(page.evaluate("window.painted"))
        sleep(0.5)
    return times


def in_browser() -> None:
    with sync_playwright() as playwright:
        browser = chromium(playwright)
        port = free_port()
        server = start(port)
        try:
            felt(browser, port)
        finally:
            server.terminate()
            browser.close()


def felt(browser: Browser, port: int) -> None:
    for what, panel, more in PAGES:
        page = opened(browser, port, f"{QUERY}&max_depth=1{more}")
        if panel:
            page.get_by_role("tab", name=panel).click()
            sleep(2)
        painted, answered = zip(*slid(page), strict=True)
        say(f"depth slider to painted, {what}", [*painted])
        say(f"depth slider to answered, {what}", [*answered])
        page.close()
    work, frames = opened(browser, port, QUERY).evaluate(PREVIEW)
    say("preview along the curve, work of a move", work)
    say("preview along the curve, frame to frame", frames)


def last(steps: Generator[float, None, Any]) -> Any:
    """What a job returns, done without a break."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return done.value


def refitted(parts: list[tuple[Dataset, Dataset]], rule: str, values: tuple[Any, ...]) -> list[Any]:
    """What scikit-learn's trees score on each fold at each value, every tree fitted anew."""
    scores = []
    for (others, fold), value in product(parts, values):
        tree = DecisionTreeClassifier(criterion="entropy", random_state=0, **{rule: value})
        scores.append(tree.fit(others.columns.T, others.y).score(fold.columns.T, fold.y))
    return scores


def folds_of(name: str, data: Dataset, runs: int) -> None:
    """One line: ten folds along the axis, ours against scikit-learn."""
    axis, rules = AXES[name], Rules()
    values = axis.values(full_tree(Problem(data, rules)), rules)
    parts = folded_parts(data, FOLDS, 0)
    ours, theirs = alternate(
        runs,
        lambda: last(fold_errors(data, rules, axis, values, FOLDS)),
        lambda: refitted(parts, axis.rule, values),
    )
    print(
        f"{FOLDS} folds, {axis.rule:<16} {len(values):>2} values  n={data.n:,}  "
        f"ours {ours:8.1f} ms  scikit-learn {theirs:8.1f} ms  ratio {theirs / ours:.1f}"
    )


def path_of(n: int) -> None:
    """One line: a full tree and its path of alphas, ours against scikit-learn."""
    data, rules = load("moons", n=n, noise=0.3, seed=7), Rules("gini")
    x = np.ascontiguousarray(data.columns.T)
    tree = DecisionTreeClassifier(random_state=0)

    def alphas() -> PruningPath:
        nodes = full_tree(Problem(data, rules))  # a new one each time: no path of it is kept
        return alpha_path(nodes, nodes.is_split)

    ours, theirs = alternate(15, alphas, lambda: tree.cost_complexity_pruning_path(x, data.y))
    print(
        f"path of alphas, n={n:,}  ours {ours:.1f} ms  scikit-learn {theirs:.1f} ms  "
        f"ratio {theirs / ours:.2f}"
    )


def main() -> None:
    in_browser()
    for n in (300, 2_000):
        path_of(n)
    data = load("moons", n=2_000, noise=0.3, seed=7)
    for name, runs in (("depth", 5), ("alpha", 3), ("leaf_size", 3), ("leaves", 3)):
        folds_of(name, data, runs)


if __name__ == "__main__":
    main()
