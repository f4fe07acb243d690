"""Prints the metadata that makes a folder of the sources a source distribution of the Python package (core metadata 2.1).

    pkg_info.py SOURCES
"""

import sys
import tomllib
from pathlib import Path


def main() -> None:
    project = tomllib.loads(Path(sys.argv[1], "pyproject.toml").read_text(encoding="utf-8"))["project"]
    print("Metadata-Version: 2.1")
    print(f"Name: {project['name']}")
    print(f"Version: {project['version']}")
    print(f"Summary: {project['description']}")
    print(f"License: {project['license']['text']}")
    print(f"Requires-Python: {project['requires-python']}")
    for extra, requirements in project["optional-dependencies"].items():
        print(f"Provides-Extra: {extra}")
        for requirement in requirements:
            print(f'Requires-Dist: {requirement}; extra == "{extra}"')


if __name__ == "__main__":
    main()
