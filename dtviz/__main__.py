"""`python -m dtviz` is the command `dtviz`."""

import sys

from dtviz.app.cli import main

if __name__ == "__main__":
    sys.exit(main())
