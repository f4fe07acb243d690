"""What a page of measurements says of the machine: nothing that names it."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from pathlib import Path


def first_match(path: str, pattern: str) -> str:
    """The first group of the first match in a file; "unknown" if there is none."""
    try:
        match = re.search(pattern, Path(path).read_text(encoding="utf-8"), re.MULTILINE)
    except OSError:
        match = None
    return match[1].strip() if match else "unknown"


def caches() -> list[str]:
    """"48 KiB first-level data", from the nearest cache to the farthest."""
    found: list[str] = []
    for index in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        kind = (index / "type").read_text(encoding="utf-8").strip()
        if kind != "Instruction":
            size = (index / "size").read_text(encoding="utf-8").strip()
            found.append(f"L{(index / 'level').read_text(encoding='utf-8').strip()} {size}")
    return found


def last_cache_bytes() -> int:
    """The size of the farthest cache; 32 MiB where the system does not say."""
    match = re.match(r"L\d (\d+)K", caches()[-1]) if caches() else None
    return int(match[1]) * 1024 if match else 32 << 20


def package_version(package: str) -> str:
    """The distribution's version of an installed package; "" if it is not known."""
    try:
        command = ["dpkg-query", "-W", "-f", "${Version}", package]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""


def describe() -> dict[str, object]:
    """The machine as JSON has it."""
    flags = first_match("/proc/cpuinfo", r"^flags\s*:(.*)$").split()
    kilobytes = first_match("/proc/meminfo", r"^MemTotal:\s*(\d+)")
    return {
        "processor": first_match("/proc/cpuinfo", r"^model name\s*:(.*)$"),
        "processors": len(os.sched_getaffinity(0)),
        "virtual": "hypervisor" in flags,
        "vectors": [name for name in ("avx2", "avx512f", "avx512bw") if name in flags],
        "caches": caches(),
        "last_cache_bytes": last_cache_bytes(),
        "memory_gib": round(int(kilobytes) / 2**20) if kilobytes.isdigit() else 0,
        "system": first_match("/etc/os-release", r'^PRETTY_NAME="(.*)"$'),
        "kernel": re.match(r"[\d.]*\d", platform.release())[0],  # type: ignore[index]
    }
