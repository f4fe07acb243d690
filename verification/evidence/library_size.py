#!/usr/bin/env python3
"""Whether the library is as small as it must be; exit status 1 if LIBRARY without symbols has more bytes than the limit.

    verification/evidence/library_size.py LIBRARY BYTES
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path


def main() -> int:
    library, limit = sys.argv[1], int(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        stripped = Path(folder) / "stripped.so"
        subprocess.run(["strip", "-o", stripped, library], check=True)
        size = stripped.stat().st_size
    print(f"library_size.py: {library} has {size:,} bytes without symbols, of {limit:,}")
    return 1 if size > limit else 0


if __name__ == "__main__":
    sys.exit(main())
