"""How fast the page Grow feels, in Chromium: first paint, click to painted step, preview frames.

first paint     from the moment the server answers to the first points on screen, fresh tab
step            from the click on "Next split" to the frame after which counter, stage and tree
                all show the step; median and p95 of 20
settled         from the same click until the server's answer is shown, the sentence with it
                (a step taken 0.3 s after the last finds its pictures there already: painted is
                the time to draw them, settled that of the whole way)
preview         the work of one pointer move over the gains, until the picture is drawn again
moving          from one frame to the next while a split moves on its way
icicle          from the click on "icicle" until all nodes of a tree of some 30,000 are painted
jump            from the bare root to a tree of 15 nodes with nothing sent ahead: request, tree,
                cuts, layout, both pictures
dtreeviz        its view() and ctree_feature_space() of a tree of 15 nodes on the same rows
                (`pip install dtreeviz` and Graphviz's `dot`; left out without)
"""

import os
import shutil
import socket
import subprocess
import sys
from statistics import median, quantiles
from time import perf_counter, sleep
from urllib.request import urlopen

from playwright.sync_api import Browser, Page, Playwright, sync_playwright

PROGRAMS = ("chromium-headless-shell", "chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]
RUNS = 20
SIZES = (300, 2_000, 20_000)
LARGE = "data=moons&n=100000&noise=0.6&order=depth&log=a15000"
FIND = """
window.picture = (name) => {
  for (const host of document.querySelectorAll("[class*='st-key-'] *")) {
    const found = host.shadowRoot?.querySelector(`div.${name}`);
    if (found) return found;
  }
  return null;
};
"""
STEP = """
(name) => new Promise((done) => {
  const shown = () => ["line", "stage", "tree"].map((kind) => picture(kind).dataset.step);
  const words = () => picture("grow").querySelector(".asked").innerText;
  const isAnswered = () => words() !== said && picture("line").dataset.waiting !== "true";
  const [before, said] = [shown(), words()];
  let painted = null;
  const start = performance.now();
  const look = () => {
    const now = performance.now() - start;
    if (painted === null && shown().every((step, k) => step !== before[k])) painted = now;
    if (painted !== null && isAnswered()) requestAnimationFrame(() => done([painted, now]));
    else requestAnimationFrame(look);
  };
  picture("line").querySelector(`[data-name=${name}]`).click();
  requestAnimationFrame(look);
})
"""
PREVIEW = """
() => {
  const area = picture("stage").querySelector(".area");
  const box = area.getBoundingClientRect();
  const move = (x) => area.dispatchEvent(new PointerEvent("pointermove", {
    clientX: x, clientY: box.top + 60, bubbles: true, composed: true,
  }));
  const times = [];
  for (let k = 0; k < 200; k++) {
    const start = performance.now();
    move(box.left + 60 + ((box.width - 220) * k) / 200);
    times.push(performance.now() - start);
  }
  return times;
}
"""

MOVING = """
() => new Promise((done) => {
  const times = [];
  const look = (before) => (now) => {
    if (picture("stage").dataset.moving) times.push(now - before);
    else if (times.length) return done(times.slice(1));
    requestAnimationFrame(look(now));
  };
  picture("line").querySelector("[data-name=next]").click();
  requestAnimationFrame(look(performance.now()));
})
"""
ICICLE = """
() => new Promise((done) => {
  const turner = [...picture("tree").querySelectorAll("button")]
    .find(({ textContent }) => textContent === "icicle");
  const start = performance.now();
  turner.click();
  requestAnimationFrame(() => setTimeout(() => done([
    performance.now() - start, Number(picture("tree").querySelector("canvas.icicle").dataset.nodes),
  ])));
})
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(port: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "dtviz", "--no-browser", "--port", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while True:
        try:
            with urlopen(f"http://localhost:{port}/_stcore/health", timeout=1):
                return server
        except OSError:
            sleep(0.02)


def chromium(playwright: Playwright) -> Browser:
    """The browser that the tests take, as they have found or installed it."""
    named = os.environ.get("DTVIZ_CHROMIUM"), *map(shutil.which, PROGRAMS)
    return playwright.chromium.launch(executable_path=next(filter(None, named), None), args=FLAGS)


def opened(browser: Browser, address: str) -> Page:
    page = browser.new_page(viewport={"width": 1280, "height": 720}, bypass_csp=True)
    page.add_init_script(FIND)
    page.goto(address)
    page.wait_for_function("picture('stage')?.dataset.step && picture('tree')?.dataset.step")
    return page


def first_paint(browser: Browser) -> float:
    port = free_port()
    server = start(port)
    page = browser.new_page(viewport={"width": 1280, "height": 720}, bypass_csp=True)
    page.add_init_script(FIND)
    begin = perf_counter()
    page.goto(f"http://localhost:{port}/")
    page.wait_for_function("picture('stage')?.dataset.step")
    took = perf_counter() - begin
    page.close()
    server.terminate()
    server.wait()
    return took


def steps(page: Page, runs: int = RUNS) -> tuple[list[float], list[float]]:
    """Times of so many steps forward: until painted, until settled."""
    sleep(1)
    times = []
    for _ in range(runs):
        times.append(page.evaluate(STEP, "next"))
        sleep(0.3)
    painted, settled = zip(*times, strict=True)
    return list(painted), list(settled)


def say(what: str, times: list[float]) -> None:
    high = quantiles(times, n=20)[-1]
    print(f"{what:<44} median {median(times):6.1f} ms   p95 {high:6.1f} ms")


def dtreeviz_times(runs: int = 5) -> list[float]:
    """What dtreeviz takes for both its pictures of a tree of 15 nodes on 2,000 points."""
    import dtreeviz
    import matplotlib.pyplot as plt
    from sklearn.tree import DecisionTreeClassifier

    import dtviz

    data = dtviz.load("moons", n=2_000)
    tree = DecisionTreeClassifier(criterion="entropy", max_leaf_nodes=8, random_state=0)
    x, y = data.columns.T, data.y.astype(int)
    tree.fit(x, y)
    names = {"feature_names": list(data.features), "class_names": list(data.class_names)}
    times = []
    for _ in range(runs + 1):
        begin = perf_counter()
        picture = dtreeviz.model(tree, x, y, target_name="class", **names)
        picture.view().svg()
        picture.ctree_feature_space(features=list(data.features))
        plt.gcf().canvas.draw()
        plt.close("all")
        times.append(1e3 * (perf_counter() - begin))
    return times[1:]


def repaints(browser: Browser, port: int, runs: int = 7) -> list[float]:
    """Times from the click on "End" until stage and tree show the whole tree, in tabs just warm."""
    times = []
    for _ in range(runs):
        query = "data=moons&n=2000&order=best&max_leaf_nodes=8"
        page = opened(browser, f"http://localhost:{port}/?{query}")
        for name in ("next", "next", "next", "start", "end"):
            sleep(0.5)
            painted, _ = page.evaluate(STEP, name)
        times.append(painted)
        page.close()
    return times


def moving(browser: Browser, port: int, runs: int = 8) -> list[float]:
    """Times between frames while a split moves, at 2,000 points."""
    page = opened(browser, f"http://localhost:{port}/?data=moons&n=2000&noise=0.4")
    sleep(1)
    times: list[float] = []
    for _ in range(runs):
        times += page.evaluate(MOVING)
        sleep(1)
    page.close()
    return times


def icicles(browser: Browser, port: int, runs: int = 6) -> tuple[list[float], int]:
    """Times until a large tree is drawn as bands, and how many nodes it has."""
    page = opened(browser, f"http://localhost:{port}/?{LARGE}")
    sleep(1)
    times = []
    for _ in range(runs):
        took, nodes = page.evaluate(ICICLE)
        times.append(took)
        page.evaluate(ICICLE)  # and back
        sleep(0.5)
    page.close()
    return times, nodes


def compared(step: list[float], jump: list[float]) -> None:
    try:
        theirs = dtreeviz_times()
    except ImportError:
        print("dtreeviz is not installed: pip install dtreeviz")
        return
    say("dtreeviz: view and feature space, 15 nodes", theirs)
    print(f"dtreeviz / a painted step: {median(theirs) / median(step):.1f} times")
    print(f"dtreeviz / a jump with nothing ahead: {median(theirs) / median(jump):.1f} times")


def main() -> None:
    with sync_playwright() as playwright:
        browser = chromium(playwright)
        say("first paint after the server answers", [1e3 * first_paint(browser) for _ in range(5)])
        port = free_port()
        server = start(port)
        cases = [(f"{n:,} points", f"data=moons&n={n}&noise=0.4", RUNS) for n in SIZES]
        cases += [
            ("tree of 15 nodes", "data=moons&n=2000&noise=0.4&order=best&log=a7", 8),
            ("tree of 127 nodes", "data=moons&n=2000&noise=0.6&order=best&log=a63", RUNS),
            ("20,000 points, tree of 2,001 nodes", "data=moons&n=20000&noise=0.4&log=a1000", 8),
        ]
        for what, query, runs in cases:
            page = opened(browser, f"http://localhost:{port}/?{query}")
            painted, settled = steps(page, runs)
            say(f"click to painted step, {what}", painted)
            say(f"click to settled step, {what}", settled)
            if what == "tree of 15 nodes":
                step = painted
            page.close()
        page = opened(browser, f"http://localhost:{port}/?data=moons&n=2000")
        sleep(1)
        say("preview frame, 2,000 points", page.evaluate(PREVIEW))
        page.close()
        say("moving split, 2,000 points, a frame", moving(browser, port))
        times, nodes = icicles(browser, port)
        say(f"icicle of {nodes:,} nodes", times)
        jump = repaints(browser, port)
        say("jump to 15 nodes, nothing ahead", jump)
        server.terminate()
        browser.close()
    compared(step, jump)


if __name__ == "__main__":
    main()
