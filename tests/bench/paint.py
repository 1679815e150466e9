"""Server start to first paint of Grow, and click on "Next split" to the painted step (Chromium).

The first paint is the stage's points on screen in a fresh tab right after the server answers; a
step is painted when the counter, the stage and the tree all show it.
"""

import os
import shutil
import socket
import subprocess
import sys
from statistics import median
from time import perf_counter, sleep
from urllib.request import urlopen

from playwright.sync_api import Page, sync_playwright

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]
DRAWN = ".js-plotly-plot .scatterlayer .trace path.point"


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


def first_paint(page: Page, port: int) -> float:
    begin = perf_counter()
    page.goto(f"http://localhost:{port}/")
    page.wait_for_selector(DRAWN)
    return perf_counter() - begin


def step(page: Page, made: int) -> float:
    """The time from the click until step, star and tree have changed on screen."""
    before = page.locator("[data-testid=stGraphVizChart] svg").first.inner_html()
    begin = perf_counter()
    page.get_by_role("button", name="Next split").click()
    page.wait_for_function(
        """([made, before]) => {
          const tree = document.querySelector('[data-testid=stGraphVizChart] svg');
          return document.body.innerText.includes(`step ${made} of`)
            && tree && tree.innerHTML !== before;
        }""",
        arg=[made, before],
    )
    return perf_counter() - begin


with sync_playwright() as playwright:
    program = os.environ.get("DTVIZ_CHROMIUM") or shutil.which("chromium")
    browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
    times = []
    for _ in range(5):
        port = free_port()
        server = start(port)
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        times.append(first_paint(page, port))
        page.close()
        server.terminate()
        server.wait()
    print(f"first paint after server start: median {median(times):.2f} s of {len(times)}")

    port = free_port()
    server = start(port)
    for n in (300, 2_000, 20_000):
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.goto(f"http://localhost:{port}/?data=moons&n={n}")
        page.wait_for_selector(DRAWN)
        sleep(1)
        steps = [step(page, made) for made in range(1, 13)]
        print(f"click to painted step, n={n:>6,}: median {1e3 * median(steps):.0f} ms")
        page.close()
    server.terminate()
    browser.close()
