"""What a first visit costs, in Chromium, a page a line: bytes, requests, paints, shifts, data.

    python tests/bench/first_paint.py [--phone] [--dark] [--shifts] [--runs N] [PAGE ...]

on the wire     bytes of all answers with their headers, over HTTP
requests        of a tab that has seen nothing before
first paint     of contents, as the browser tells it (first-contentful-paint); median
shift           sum of all layout shifts until 2 s after the first data, the most of the runs
first data      until the largest picture of the page is drawn; median
--shifts        each shift, with the classes of the elements that moved
--phone         390 x 844, processor 4 times slower, 10 Mbit/s, 40 ms

Measures the dtviz that this Python imports: run it from another folder with the Python of another
environment to measure another commit.
"""

import sys
from argparse import ArgumentParser
from dataclasses import dataclass
from statistics import median

from paint import chromium, free_port, start
from playwright.sync_api import Browser, sync_playwright

PAGES = ("", "data", "overfit", "stability", "forest", "impurity", "learn")
WIDE, PHONE = {"width": 1280, "height": 720}, {"width": 390, "height": 844}
SLOW_NETWORK = {
    "offline": False, "latency": 40, "downloadThroughput": 1.25e6, "uploadThroughput": 1.25e6
}  # fmt: skip
WATCH = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, startTime, sources } of list.getEntries())
    shifts.push([value, startTime, sources.map(({ node }) => node?.className ?? String(node))]);
}).observe({ type: "layout-shift", buffered: true });
const isLarge = ({ width, clientWidth, clientHeight }) =>
  width > 150 && clientWidth > 150 && clientHeight > 90;
const hasPicture = ({ shadowRoot }) =>
  [...shadowRoot?.querySelectorAll("canvas") ?? []].some(isLarge);
const look = () => {
  if ([...document.querySelectorAll("*")].some(hasPicture)) window.firstData = performance.now();
  else requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""
PAINT = 'performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN'


@dataclass
class Visit:
    """A first visit of a page."""

    bytes: float
    requests: int
    first_paint: float  # milliseconds
    shift: float
    first_data: float  # milliseconds
    shifts: list[tuple[float, float, list[str]]]


def visit(browser: Browser, address: str, phone: bool, dark: bool) -> Visit:
    context = browser.new_context(
        viewport=PHONE if phone else WIDE,
        color_scheme="dark" if dark else "light",
        is_mobile=phone,
        has_touch=phone,
        bypass_csp=True,
    )
    page = context.new_page()
    page.add_init_script(WATCH)
    channel = context.new_cdp_session(page)
    channel.send("Network.enable")
    if phone:
        channel.send("Network.emulateNetworkConditions", SLOW_NETWORK)
        channel.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    remote: set[str] = set()
    sizes: list[float] = []
    channel.on(
        "Network.requestWillBeSent",
        lambda event: (
            remote.add(event["requestId"]) if event["request"]["url"].startswith("http") else None
        ),
    )
    channel.on(
        "Network.loadingFinished",
        lambda event: (
            sizes.append(event["encodedDataLength"]) if event["requestId"] in remote else None
        ),
    )
    page.goto(address, wait_until="commit")
    page.wait_for_function("window.firstData", timeout=60_000)
    page.wait_for_timeout(2_000)
    shifts = page.evaluate("shifts")
    found = Visit(
        sum(sizes), len(remote), page.evaluate(PAINT), sum(value for value, *_ in shifts),
        page.evaluate("firstData"), shifts,
    )  # fmt: skip
    context.close()
    return found


def main() -> None:
    parser = ArgumentParser()
    for flag in ("--phone", "--dark", "--shifts"):
        parser.add_argument(flag, action="store_true")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("pages", nargs="*", default=PAGES)
    options = parser.parse_args()
    port = free_port()
    server = start(port)
    try:
        with sync_playwright() as playwright:
            browser = chromium(playwright)
            visit(browser, f"http://localhost:{port}/", options.phone, options.dark)  # warms both
            for name in options.pages:
                address = f"http://localhost:{port}/{name}"
                visits = [
                    visit(browser, address, options.phone, options.dark)
                    for _ in range(options.runs)
                ]
                largest = max(visits, key=lambda one: one.shift)
                paint, data = (
                    median(getattr(one, what) for one in visits)
                    for what in ("first_paint", "first_data")
                )
                requests = max(one.requests for one in visits)
                print(
                    f"{name or 'grow':<10} {largest.bytes / 1e6:5.2f} MB on the wire,"
                    f" {requests:3} requests, first paint {paint:5.0f} ms,"
                    f" shift {largest.shift:.3f}, first data {data:5.0f} ms",
                    flush=True,
                )
                for value, when, sources in largest.shifts if options.shifts else ():
                    print(f"    {value:.4f} at {when:5.0f} ms: {', '.join(map(str, sources))}")
            browser.close()
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    sys.exit(main())
