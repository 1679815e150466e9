"""100,000 fuzzed addresses and 10,000 fuzzed messages: whether one raises, and the dearest of each.

PYTHONPATH=.:tests:tests/table python tests/bench/hostile.py [addresses] [seed]
"""

import sys
from time import process_time

from fuzz import addresses, comes_back, messages, opened, survives

from dtviz.app.instrument import SharedState

DATA = ("iris", "moons", "heights", "drawn")
many = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0


def timed(act, *args):
    start = process_time()
    act(*args)
    return process_time() - start


def report(what, spent):
    total, (worst, example) = sum(time for time, _ in spent), max(spent, key=lambda one: one[0])
    print(f"{len(spent):,} {what}: none raised; {1000 * total / len(spent):.1f} ms each, ", end="")
    print(f"{sum(time > 1 for time, _ in spent)} over 1 s, the dearest {worst:.2f} s:")
    print(f"    {str(example)[:300]}")


shared = SharedState()
spent = [
    (timed(lambda asked: comes_back(opened(asked, shared)), params), params)
    for params in addresses(many, seed)
]
report("addresses", spent)
spent = []
for data in DATA:
    tab = opened({"data": data, "log": "a2"}, shared)
    for message in messages(tab, many // 10 // len(DATA), seed):
        spent.append((timed(survives, tab, message), message))
report("messages", spent)
