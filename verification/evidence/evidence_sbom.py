#!/usr/bin/env python3
"""The software bill of materials, in SPDX 2.3 (JSON): what is built, from which packages of the distribution.

    verification/evidence/evidence_sbom.py --build BUILD [--write FILE] [--self-test]
                                                makes it of a build folder (Ninja), and validates it: exit status 1, with a line for each
                                                thing that is wrong; --self-test also spoils it in many ways, and each must be noticed

Nothing in it is kept by hand but the licences of LICENSES: which headers are compiled in is what the compiler wrote down (`ninja -t
deps`), which libraries are linked is what the files name (`readelf -d`), and the package of a file is what dpkg says. The date is
SOURCE_DATE_EPOCH, or that of the last commit, so that the same build gives the same bill.
"""

from __future__ import annotations

import argparse
import copy
import hashlib
import json
import os
import re
import sys
from collections import defaultdict
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from evidence_common import ARTEFACTS, Package, cache_of, output_of, package, package_of, source_digest

# How Debian names licences of packages whose copyright file is machine-readable, and how SPDX does.
SPDX_NAMES = {
    "Apache-2.0": "Apache-2.0",
    "BSD-3-Clause~Google": "BSD-3-Clause",
    "BSD-3-clause": "BSD-3-Clause",
    "BSD-3-Clause": "BSD-3-Clause",
    "BSD-3-Clause+CLA": "BSD-3-Clause",
    "Expat": "MIT",
    "Expat with embedded exception": "MIT",
    "Zlib": "Zlib",
    "Python-2.0": "Python-2.0",
}
# Source packages whose copyright file is prose: read, and written down.
LICENSES = {
    "binutils": "GPL-3.0-or-later",
    "gcc-12": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "glibc": "LGPL-2.1-or-later",
    "libzip": "BSD-3-Clause",
    "linux": "GPL-2.0-only WITH Linux-syscall-note",
    "python3.11": "Python-2.0",
}
LINKED_STATICALLY = {  # the static libraries of the project that each artefact has in it, or needs
    "supremum_graph": ["supremum"],
    "supremum_json": ["supremum"],
    "supremum_onnx": ["supremum", "supremum_graph", "supremum_json"],
    "supremum_onednn": ["supremum", "supremum_graph", "supremum_json"],
    "supremum_c": ["supremum"],
    "supremum_c_models": ["supremum", "supremum_graph", "supremum_json", "supremum_onnx"],
    "supremum_command": ["supremum", "supremum_graph", "supremum_json", "supremum_onnx", "supremum_onednn", "supremum_verbs"],
}
CREATOR = "Tool: supremum-evidence_sbom.py"


def license_of(found: Package) -> str:
    """The licence that a package declares for most of its files."""
    if found.source in LICENSES:
        return LICENSES[found.source]
    path = Path("/usr/share/doc") / found.name.split(":")[0] / "copyright"
    text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
    declared = re.search(r"^Files: \*.*?^License: *(.*?)$", text, re.MULTILINE | re.DOTALL)
    return SPDX_NAMES.get(declared[1].strip() if declared else "", "NOASSERTION")


def compiled_in(build: Path) -> dict[str, set[Package]]:
    """target of CMake -> the packages whose headers its objects were made with."""
    files: dict[str, set[str]] = defaultdict(set)
    target = ""
    for line in output_of("ninja", "-C", build, "-t", "deps").splitlines():
        if match := re.match(r"\S*?CMakeFiles/(\w+)\.dir/\S+: #deps", line):
            target = match[1]
        elif line.startswith("    /usr/"):
            files[target].add(os.path.normpath(line.strip()))
    return {t: {found for file in names if (found := package_of(file))} for t, names in files.items()}


def linked(file: Path) -> set[Package]:
    """The packages of the shared libraries that a file names."""
    found: set[Package] = set()
    cache = dict(re.findall(r"^\s*(\S+) \([^)]*x86-64[^)]*\) => (\S+)$", output_of("/sbin/ldconfig", "-p"), re.MULTILINE))
    for name in re.findall(r"\(NEEDED\).*\[(.*)\]", output_of("readelf", "-d", file)):
        owner = package_of(cache.get(name, name))
        if owner is None:
            sys.exit(f"{file}: needs {name}, which is of no package here")
        found.add(owner)
    return found


def created() -> str:
    seconds = os.environ.get("SOURCE_DATE_EPOCH") or output_of("git", "log", "-1", "--format=%ct").strip() or "0"
    return datetime.fromtimestamp(int(seconds), timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def spdx_id(name: str) -> str:
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def bill(build: Path) -> dict[str, Any]:
    """The document."""
    version = cache_of(build)["CMAKE_PROJECT_VERSION"]
    packages: dict[str, dict[str, Any]] = {}
    relationships: set[tuple[str, str, str]] = set()

    def add(found: Package) -> str:
        reference = spdx_id("Package-" + found.name)
        packages[reference] = {
            "SPDXID": reference, "name": found.name, "versionInfo": found.version,
            "supplier": "Organization: Debian", "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": "NOASSERTION", "licenseDeclared": license_of(found), "copyrightText": "NOASSERTION",
            "sourceInfo": f"built from Debian's source package {found.source}",
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                              "referenceLocator": f"pkg:deb/debian/{found.name.split(':')[0]}@{found.version.replace(':', '%3A').replace('+', '%2B')}"}],
        }  # fmt: skip
        return reference

    source = spdx_id("supremum-source")
    own = {"supplier": "NOASSERTION", "versionInfo": version, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
           "licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0", "copyrightText": "NOASSERTION"}  # fmt: skip
    packages[source] = {"SPDXID": source, "name": "supremum", **own, "primaryPackagePurpose": "SOURCE",
                        "checksums": [{"algorithm": "SHA256", "checksumValue": source_digest()}],
                        "comment": "The checksum is that of the list of checksums of the sources (evidence_common.source_digest)."}  # fmt: skip
    relationships.add(("SPDXRef-DOCUMENT", "DESCRIBES", source))
    headers = compiled_in(build)
    built = [artefact for artefact in ARTEFACTS if (build / artefact.path).exists()]
    for artefact in built:
        reference = spdx_id(artefact.path.name if artefact.target != "supremum_command" else "supremum-command")
        data = (build / artefact.path).read_bytes()
        packages[reference] = {
            "SPDXID": reference, "name": artefact.path.name, **own, "packageFileName": artefact.path.name,
            "primaryPackagePurpose": "APPLICATION" if artefact.target == "supremum_command" else "LIBRARY",
            "checksums": [{"algorithm": "SHA1", "checksumValue": hashlib.sha1(data).hexdigest()},
                          {"algorithm": "SHA256", "checksumValue": hashlib.sha256(data).hexdigest()}],
        }  # fmt: skip
        relationships |= {("SPDXRef-DOCUMENT", "DESCRIBES", reference), (reference, "GENERATED_FROM", source)}
        for other in built:
            if other.target in LINKED_STATICALLY.get(artefact.target, []):
                kind = "DEPENDS_ON" if artefact.path.suffix == ".a" else "STATIC_LINK"  # an archive is not linked
                relationships.add((reference, kind, spdx_id(other.path.name)))
        for found in headers.get(artefact.target, set()):
            relationships.add((add(found), "BUILD_DEPENDENCY_OF", reference))
        for found in linked(build / artefact.path):
            relationships.add((reference, "DYNAMIC_LINK", add(found)))
    for tool in (package_of(cache_of(build)["CMAKE_CXX_COMPILER"]), package("cmake"), package("ninja-build"), package("binutils")):
        if tool:
            relationships.add((add(tool), "BUILD_TOOL_OF", source))
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"supremum-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/supremum-{version}-{source_digest()}",
        "creationInfo": {"created": created(), "creators": [CREATOR], "licenseListVersion": "3.20"},
        "packages": [packages[reference] for reference in sorted(packages)],
        "relationships": [{"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b} for a, kind, b in sorted(relationships)],
    }  # fmt: skip


# What SPDX 2.3 asks of the parts that this script writes: key -> the form of its value.
LICENSE = "Apache-2.0|BSD-3-Clause|MIT|Zlib|Python-2.0|GPL-3.0-or-later|LGPL-2.1-or-later|GPL-2.0-only|GCC-exception-3.1|Linux-syscall-note"
LICENSED = rf"NOASSERTION|({LICENSE})( (AND|OR|WITH) ({LICENSE}))*"
OF_DOCUMENT = {"spdxVersion": r"SPDX-2\.3", "dataLicense": r"CC0-1\.0", "SPDXID": "SPDXRef-DOCUMENT", "name": ".+", "documentNamespace": r"https://[^\s#]+"}
OF_CREATION = {"created": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "creators": r"\['(Tool|Organization|Person): .+'\]"}
OF_PACKAGE = {"SPDXID": r"SPDXRef-[A-Za-z0-9.-]+", "name": ".+", "versionInfo": ".+", "supplier": "(Organization|Person): .+|NOASSERTION",
              "downloadLocation": ".+", "filesAnalyzed": "False", "licenseConcluded": LICENSED, "licenseDeclared": LICENSED, "copyrightText": ".+"}  # fmt: skip
OF_CHECKSUM = "SHA1 [0-9a-f]{40}|SHA256 [0-9a-f]{64}"
OF_URL = r"pkg:deb/debian/[a-z0-9.+-]+@[A-Za-z0-9.~%+-]+"
RELATIONSHIPS = {"DESCRIBES", "DEPENDS_ON", "GENERATED_FROM", "STATIC_LINK", "DYNAMIC_LINK", "BUILD_DEPENDENCY_OF", "BUILD_TOOL_OF"}


def validate(document: dict[str, Any]) -> list[str]:
    """Everything that is wrong with a bill, a line each."""
    def wrong(what: str, part: dict[str, Any], forms: dict[str, str]) -> list[str]:
        return [f"{what}: {key} is '{part.get(key, '')}'" for key, form in forms.items() if not re.fullmatch(form, str(part.get(key, "")))]

    problems = wrong("document", document, OF_DOCUMENT) + wrong("creationInfo", document.get("creationInfo", {}), OF_CREATION)
    packages = document["packages"]
    for entry in packages:
        found = {f"checksum {n}": f"{one['algorithm']} {one['checksumValue']}" for n, one in enumerate(entry.get("checksums", []))}
        urls = {f"URL {n}": one["referenceLocator"] for n, one in enumerate(entry.get("externalRefs", []))}
        problems += wrong(str(entry.get("SPDXID")), entry | found | urls, OF_PACKAGE | dict.fromkeys(found, OF_CHECKSUM) | dict.fromkeys(urls, OF_URL))
    ids = ["SPDXRef-DOCUMENT", *(str(entry.get("SPDXID")) for entry in packages)]
    related = [(r["spdxElementId"], r["relationshipType"], r["relatedSpdxElement"]) for r in document.get("relationships", [])]
    problems += [f"{a} {kind} {b}: not in the document, or not used here" for a, kind, b in related if not {a, b} <= set(ids) or kind not in RELATIONSHIPS]
    reached = {end for a, _, b in related for end in (a, b)}
    return problems + [f"{name}: is there twice, or nothing relates to it" for name in ids if ids.count(name) > 1 or name not in reached]


def self_test(good: dict[str, Any]) -> list[str]:
    """The spoiled copies of a valid bill in which nothing wrong was found."""
    spoils: list[tuple[list[Any], Any]] = [([key], "") for key in (*OF_DOCUMENT, "creationInfo", "relationships")]
    spoils += [(["packages", 0, key], True if key == "filesAnalyzed" else "") for key in OF_PACKAGE]
    spoils += [
        (["creationInfo", "created"], "today"), (["creationInfo", "creators"], ["somebody"]), (["documentNamespace"], "https://spdx.org/x#y"),
        (["packages", 0, "SPDXID"], "SPDXRef-a_b"), (["packages", 0, "licenseDeclared"], "GPL"), (["packages", 1], good["packages"][0]),
        (["packages", 0, "checksums"], [{"algorithm": "SHA1", "checksumValue": "0" * 64}]), (["packages", 0], good["packages"][1]),
        (["relationships", 0, "relationshipType"], "USES"), (["relationships", 0, "spdxElementId"], "SPDXRef-nobody"),
    ]  # fmt: skip
    problems = []
    for path, value in spoils:
        document = place = copy.deepcopy(good)
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value or type(place[path[-1]])()
        problems += [] if validate(document) else [f"{path} is spoiled, and nobody noticed"]
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--build", type=Path, metavar="FOLDER", required=True)
    parser.add_argument("--write", type=Path, metavar="FILE")
    parser.add_argument("--self-test", action="store_true")
    args = parser.parse_args()
    document = bill(args.build.resolve())
    problems = validate(document) + (self_test(document) if args.self_test else [])
    if args.write:
        args.write.parent.mkdir(parents=True, exist_ok=True)
        args.write.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    print("\n".join([*problems, f"{document['name']}: {len(document['packages'])} packages, {len(document['relationships'])} relationships"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
