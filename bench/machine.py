"""What a page of measurements says of the machine: nothing that names it."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from pathlib import Path

# The settings by which peers are held to an instruction set (scripts/bench.sh --target).
PEER_SETTINGS = ["DNNL_MAX_CPU_ISA", "ONEDNN_MAX_CPU_ISA", "NPY_DISABLE_CPU_FEATURES", "ATEN_CPU_CAPABILITY"]

# Vendor, family, first and last model: the name of a family of processors.
FAMILIES = [
    ("AuthenticAMD", 0x17, 0x00, 0x2F, "AMD Zen"),
    ("AuthenticAMD", 0x17, 0x30, 0xFF, "AMD Zen 2"),
    ("AuthenticAMD", 0x19, 0x10, 0x1F, "AMD Zen 4"),
    ("AuthenticAMD", 0x19, 0x60, 0xAF, "AMD Zen 4"),
    ("AuthenticAMD", 0x19, 0x00, 0xFF, "AMD Zen 3"),
    ("AuthenticAMD", 0x1A, 0x00, 0xFF, "AMD Zen 5"),
    ("GenuineIntel", 6, 0x55, 0x55, "Intel Skylake-SP or Cascade Lake"),
    ("GenuineIntel", 6, 0x6A, 0x6C, "Intel Ice Lake-SP"),
    ("GenuineIntel", 6, 0x8F, 0x8F, "Intel Sapphire Rapids"),
    ("GenuineIntel", 6, 0xCF, 0xCF, "Intel Emerald Rapids"),
    ("GenuineIntel", 6, 0xAD, 0xAE, "Intel Granite Rapids"),
]


def first_match(path: str, pattern: str) -> str:
    """The first group of the first match in a file; "unknown" if there is none."""
    try:
        match = re.search(pattern, Path(path).read_text(encoding="utf-8"), re.MULTILINE)
    except OSError:
        match = None
    return match[1].strip() if match else "unknown"


def family() -> str:
    """The name of the processor's family; its numbers where FAMILIES does not have it.

    A virtual machine may give its processor a number that belongs to another one. Intel's servers from Sapphire Rapids on have AMX,
    and no other processor has."""
    vendor, family_number, model = (first_match("/proc/cpuinfo", rf"^{key}\s*:(.*)$") for key in ("vendor_id", "cpu family", "model"))
    for known_vendor, known_family, first, last, name in FAMILIES:
        if vendor == known_vendor and family_number == str(known_family) and model.isdigit() and first <= int(model) <= last:
            return name
    if vendor == "GenuineIntel" and "amx_tile" in first_match("/proc/cpuinfo", r"^flags\s*:(.*)$").split():
        return "Intel Xeon with AMX"
    return f"{vendor} family {family_number} model {model}"


def caches() -> list[str]:
    """"48 KiB first-level data", from the nearest cache to the farthest."""
    found: list[str] = []
    for index in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        kind = (index / "type").read_text(encoding="utf-8").strip()
        if kind != "Instruction":
            size = (index / "size").read_text(encoding="utf-8").strip()
            found.append(f"L{(index / 'level').read_text(encoding='utf-8').strip()} {size}")
    return found


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
        "family": family(),
        "processor": first_match("/proc/cpuinfo", r"^model name\s*:(.*)$"),
        "processors": len(os.sched_getaffinity(0)),
        "virtual": "hypervisor" in flags,
        "vectors": [name for name in ("avx2", "avx512f", "avx512bw") if name in flags],
        "caches": caches(),
        "memory_gib": round(int(kilobytes) / 2**20) if kilobytes.isdigit() else 0,
        "system": first_match("/etc/os-release", r'^PRETTY_NAME="(.*)"$'),
        "kernel": re.match(r"[\d.]*\d", platform.release())[0],  # type: ignore[index]
        "peer_settings": {name: os.environ[name] for name in PEER_SETTINGS if name in os.environ},
    }
