#!/usr/bin/env python3
"""How many bytes each rank of supremum-mpi sends: measured by Open MPI's monitoring, and compared with a model.

    verification/evidence/mpi_traffic.py BUILD            prints the tables; BUILD is a build folder with bin/supremum-mpi
    verification/evidence/mpi_traffic.py BUILD --write    writes them: build/evidence/mpi-traffic.md
    verification/evidence/mpi_traffic.py BUILD --check    exit status 1 if a measured number is beyond the model, or results differ between ranks

The monitoring counts all point-to-point messages, including those inside collectives and MPI-IO.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from evidence_common import write_made

PAGE = "mpi-traffic.md"
MEASURED = (1, 2, 4, 7)
MODELLED = (10, 100, 1000)
COLUMNS = 1 << 18
OUTPUT = 4 * COLUMNS  # bytes of the output if it is joined: float32
# Messages other than elements: the largest number of agreements in a run, the largest size of one (each is sent up and down a tree),
# and the size of a description of a shape, which every rank gathers from all ranks.
AGREEMENTS, AGREEMENT_BYTES, DESCRIPTION_BYTES = 40, 544, 536


@dataclass(frozen=True)
class Way:
    name: str
    arguments: list[str]
    joined: bool  # the ranks' results are joined


WAYS = (
    Way("`max 'x{rank}.npy'`: each rank an input", ["max", f"x:float32:{COLUMNS}:x{{rank}}.bin"], True),
    Way("`reduce-max --axes 0`, split along 0: the axes cross ranks", ["reduce-max", f"a:float32:28x{COLUMNS}:a.bin", "--axes", "0"], True),
    Way("`reduce-max --axes 1`, split along 0", ["reduce-max", f"a:float32:28x{COLUMNS}:a.bin", "--axes", "1"], False),
    Way("`max` of shared files", ["max", f"a:float32:28x{COLUMNS}:a.bin", f"x:float32:{COLUMNS}:x0.bin"], False),
)


def joined_bytes(ranks: int, output: int) -> float:
    """The bytes that a rank sends if every rank has `output` bytes and each receives its block of the joined ones."""
    return output * (ranks - 1) / ranks


def told_bytes(ranks: int) -> int:
    """The most bytes that a rank sends other than elements."""
    levels = math.ceil(math.log2(ranks)) if ranks > 1 else 0
    return 2 * AGREEMENTS * AGREEMENT_BYTES * levels + DESCRIPTION_BYTES * (ranks - 1)


def run(build: Path, folder: Path, way: Way, ranks: int) -> tuple[list[int], bytes]:
    """The bytes that each rank sent, and the output."""
    for old in folder.glob("prof.*"):
        old.unlink()
    environment = os.environ | {
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_rmaps_base_oversubscribe": "1",
        "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
        "OMPI_MCA_mpi_yield_when_idle": "1",
        "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
        "OMPI_MCA_pml_monitoring_enable": "1",
        "OMPI_MCA_pml_monitoring_enable_output": "3",
        "OMPI_MCA_pml_monitoring_filename": str(folder / "prof"),
    }
    command = ["mpirun", "-n", str(ranks), str(build.resolve() / "bin/supremum-mpi"), *way.arguments, "-o", "y.bin"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"mpi_traffic.py: {' '.join(command)}\n{done.stdout}{done.stderr}")
    sent = [0] * ranks
    files = sorted(folder.glob("prof.*"))
    if len(files) != ranks:
        sys.exit(f"mpi_traffic.py: {len(files)} of {ranks} ranks reported what they sent: Open MPI's monitoring is not available")
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            fields = line.split()
            if fields[0] in ("E", "I"):  # messages of the program, and of MPI itself
                sent[int(fields[1])] += int(fields[3])
    return sent, (folder / "y.bin").read_bytes()


def measure(build: Path) -> tuple[dict[tuple[str, int], list[int]], list[str]]:
    sent: dict[tuple[str, int], list[int]] = {}
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = random.Random(1)
        for rank in range(max(MEASURED)):
            (folder / f"x{rank}.bin").write_bytes(source.randbytes(OUTPUT))
        (folder / "a.bin").write_bytes(source.randbytes(28 * OUTPUT))
        for way in WAYS:
            first = b""
            for ranks in MEASURED:
                sent[way.name, ranks], output = run(build, folder, way, ranks)
                same = "{rank}" in " ".join(way.arguments) or not first or output == first
                first = first or output
                if not same:
                    wrong.append(f"{way.name}: on {ranks} ranks the output has other bytes")
                most = told_bytes(ranks) + (1.05 * joined_bytes(ranks, OUTPUT) if way.joined else 0)
                if max(sent[way.name, ranks]) > most:
                    wrong.append(f"{way.name}: a rank of {ranks} sent {max(sent[way.name, ranks])} bytes, more than {most:.0f}")
                least = 0.9 * joined_bytes(ranks, OUTPUT) if way.joined else 0
                if sum(sent[way.name, ranks]) / ranks < least:
                    wrong.append(f"{way.name}: {ranks} ranks sent less than the model requires: the measurement does not work")
    return sent, wrong


def tables(sent: dict[tuple[str, int], list[int]]) -> str:
    lines = [f"Bytes that a rank sent, the mean and the most, for an output of {OUTPUT:,} bytes where it is joined:", "",
             "| way | " + " | ".join(f"{k} rank{'s' if k > 1 else ''}" for k in MEASURED) + " |", "| --- |" + " ---: |" * len(MEASURED)]  # fmt: skip
    for way in WAYS:
        cells = [f"{sum(sent[way.name, k]) / k:,.0f}, {max(sent[way.name, k]):,}" for k in MEASURED]
        lines.append(f"| {way.name} | " + " | ".join(cells) + " |")
    lines.append("| the model, where results are joined | " + " | ".join(f"{joined_bytes(k, OUTPUT):,.0f}" for k in MEASURED) + " |")
    lines += ["", "The model for N bytes of output, with N of 1 GiB:", "",
              "| ranks | sent and received by a rank: (K-1)/K N | on every rank instead (`AllMax`): 2 (K-1)/K N | beside elements, at most |",
              "| ---: | ---: | ---: | ---: |"]  # fmt: skip
    for k in (*MEASURED[1:], *MODELLED):
        one = joined_bytes(k, 1 << 30)
        lines.append(f"| {k:,} | {one / 2**20:,.1f} MiB | {2 * one / 2**20:,.1f} MiB | {told_bytes(k) / 1024:,.0f} KiB |")
    version = subprocess.run(["mpirun", "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    lines += ["", f"Measured with {version}."]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("--write", action="store_true", help=f"write build/evidence/{PAGE}")
    parser.add_argument("--check", action="store_true", help="print nothing but what is beyond the model")
    arguments = parser.parse_args()
    sent, wrong = measure(arguments.build)
    text = tables(sent)
    if arguments.write:
        write_made(PAGE, "What ranks send", "verification/evidence/mpi_traffic.py", text)
    elif not arguments.check:
        print(text)
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
