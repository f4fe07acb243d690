"""libsupremum_mpi_preload.so, with programs that were compiled without supremum.

    preload_test.py c LIBRARY RANKS PROGRAM MPIRUN...           a program in C, which knows the results
    preload_test.py fortran LIBRARY RANKS SOURCE MPIRUN...      one in Fortran, which is compiled here; exit status 77 without a compiler
    preload_test.py python LIBRARY RANKS SCRIPT MPIRUN...       one in Python, by mpi4py; exit status 77 without it
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

kind, library, ranks, program, *mpirun = sys.argv[1:]
LINE = re.compile(r"^supremum: rank (\d+): MPI_MAX became Join in (\d+) calls$", re.MULTILINE)


def run(*command, preload=True, report="1"):
    """Exit status, what was printed, and what was written to the standard error stream."""
    begin = [*mpirun, "-n", ranks, "-x", f"SUPREMUM_MPI_REPORT={report}"]
    if preload:
        begin += ["-x", f"LD_PRELOAD={library}:{os.environ.get('LD_PRELOAD', '')}"]
    done = subprocess.run([*begin, *command], capture_output=True, text=True, check=False, timeout=600)
    return done.returncode, done.stdout, done.stderr


def expect(condition, what, outcome):
    if not condition:
        sys.exit(f"{what}: exit status {outcome[0]}\n{outcome[1]}{outcome[2]}")


def check(*command, arguments=()):
    wrong = re.compile(r"^(\d+) calls, (\d+) wrong$", re.MULTILINE)
    plain = run(*command, preload=False)
    found = wrong.search(plain[1])
    expect(found and int(found[2]) > 0, "MPI_MAX alone is right, and the test shows nothing", plain)
    expect("supremum: " not in plain[2], "a report without the library", plain)
    preloaded = run(*command, *arguments)
    found = wrong.search(preloaded[1])
    expect(preloaded[0] == 0 and found and found[2] == "0", "a result is wrong", preloaded)
    reports = LINE.findall(preloaded[2])
    expect(sorted(int(rank) for rank, _ in reports) == list(range(int(ranks))), "not a report of each rank", preloaded)
    expect({calls for _, calls in reports} == {found[1]}, "another number of calls", preloaded)
    silent = run(*command, report="0")
    expect(silent[0] == 0 and "supremum: " not in silent[2], "a report that was not asked for", silent)


def check_exports():
    listed = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    names = {line.split()[-1] for line in listed.splitlines() if " T " in line}
    functions = [f"{i}{name}" for name in ("reduce", "allreduce", "reduce_scatter", "reduce_scatter_block", "scan", "exscan") for i in ("", "I")]
    expected = {f"{p}MPI_{name[0].upper()}{name[1:]}" for p in ("", "P") for name in functions}
    expected |= {f"{p}MPI{x}_{name.capitalize()}_init" for p in ("", "P") for x in ("", "X") for name in functions if name[0] != "I"}
    expect(names == expected, f"it exports {names ^ expected}", (0, listed, ""))
    other = subprocess.run(["true"], env={"LD_PRELOAD": library, "SUPREMUM_MPI_REPORT": "1"}, capture_output=True, text=True, check=True)
    expect(other.stderr == "", "a report of a process without MPI", (0, "", other.stderr))


if kind == "c":
    check_exports()
    check(program, arguments=["derived"])
    session = run(program, "session")
    if "no sessions" not in session[1]:  # MPI 4 and Open MPI 5 have them
        expect(session[0] == 0 and session[1] == "NaN\n" * int(ranks), "a program with a session", session)
        expect(session[2].count("MPI_MAX became Join in 1 calls") == int(ranks), "not a report of each rank of a session", session)
elif kind == "fortran":
    if shutil.which("mpif90") is None or shutil.which("gfortran") is None:
        print("skipped: no Fortran compiler; scripts/setup.sh --engines installs gfortran")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["mpif90", "-O1", "-o", f"{folder}/preloaded", program, "-J", folder], check=True)
        check(f"{folder}/preloaded")
else:
    found = subprocess.run([sys.executable, "-c", "import mpi4py"], capture_output=True, check=False)
    if found.returncode != 0:
        print("skipped: no mpi4py; scripts/setup.sh --engines installs it")
        sys.exit(77)
    check(sys.executable, program)
print("ok")
