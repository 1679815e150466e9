"""Grow on 2,000 rows of 3,000 features: what each part takes, and how much goes to the browser."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np
import pandas as pd

import dtviz
from dtviz.data.dataset import Dataset, make_recipe
from dtviz.engine.problem import Problem
from dtviz.engine.rules import default_rules
from dtviz.engine.tree import Log, fold
from dtviz.pictures.frames import PICTURES
from dtviz.pictures.packing import pack
from dtviz.pictures.scales import LIGHT
from dtviz.session.screen import Screen, screen_of
from dtviz.session.session import Session

ROWS, FEATURES = 2_000, 3_000


def table() -> pd.DataFrame:
    """Noise, of which two features tell a class."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(ROWS, FEATURES))
    y = np.where(x[:, 17] + 0.7 * x[:, 1234] + rng.normal(size=ROWS) / 2 > 0, "a", "b")
    return pd.DataFrame(x, columns=[f"x{i}" for i in range(FEATURES)]).assign(y=y)


def taken(name: str, work: Callable[[], Any]) -> Any:
    """What the work gives; its seconds of the processor are printed."""
    start = process_time()
    found = work()
    size = f"  {len(found) / 1e6:.3f} MB" if isinstance(found, bytes) else ""
    print(f"{name:10} {process_time() - start:6.2f} s{size}", flush=True)
    return found


def main() -> None:
    """Print each part."""
    frame, rules = table(), default_rules("classification")
    data: Dataset = taken("frame", lambda: dtviz.from_frame(frame, "y"))
    grown: Log = taken("tree", lambda: dtviz.fit(data, rules).log)

    def future(rules: dtviz.Rules, log: Log, *_: object) -> Log:
        return grown[len(log) :]

    session = Session(make_recipe("file"), rules, log=grown[:1])
    taken("step", lambda: fold(Problem(data, rules), grown[:1]))
    screen: Screen = taken("screen", lambda: screen_of(session, data, future))
    taken("cuts", lambda: screen.node_view)
    for name in ("cloud", "stage", "tree", "line"):
        picture = PICTURES[name]
        taken(name, lambda picture=picture: pack(picture.kind, picture.draw(screen, LIGHT)))


if __name__ == "__main__":
    main()
