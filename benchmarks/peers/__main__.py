"""`python benchmarks/peers`: penstock beside other engines."""

import sys
from pathlib import Path

# Python puts this folder first, where the names of our folders would hide the packages that they run.
sys.path[0] = str(Path(__file__).resolve().parent.parent)

from peers.driver import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
