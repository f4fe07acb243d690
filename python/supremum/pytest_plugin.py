"""A plugin of pytest: the conformance cases as parameters of a test.

    import functools, numpy, pytest

    @pytest.mark.supremum_cases(operator="Max", types=["float32", "int64"])
    def test_maximum(supremum_case):
        supremum_case.check(functools.reduce(numpy.maximum, supremum_case.arrays()))

A test with the argument `supremum_case` runs once for each case (supremum.kit.Case); the mark supremum_cases takes the arguments of
supremum.kit.cases. What raises supremum.kit.Unsupported is skipped. Options of pytest:

    --kit-case PATTERN     only cases whose id matches, as "max_signed_zeros/*"; can be given more than once
    --kit-fail-on WHOSE    ONNX, SONNX or supremum (default): results that break only rules of the later ones are
                           reported as expected failures

The terminal's summary lists the deviations by rule. An installed package registers the plugin; elsewhere: pytest -p supremum.pytest_plugin.
"""

from __future__ import annotations

from typing import Any

import pytest

from . import kit

WHOSE = ("ONNX", "SONNX", "supremum")
KEY = "supremum"  # of the property of a report that tells of a deviation


def pytest_addoption(parser: Any) -> None:
    group = parser.getgroup("supremum", "conformance cases of Max and ReduceMax")
    group.addoption("--kit-case", action="append", metavar="PATTERN", help="only cases whose id matches, as 'max_signed_zeros/*'")
    group.addoption("--kit-fail-on", choices=WHOSE, default=WHOSE[-1], help="whose rules must be kept (default: supremum, all rules)")


def pytest_configure(config: Any) -> None:
    config.addinivalue_line("markers", "supremum_cases(operator, types, rules, ids, folder): the conformance cases of supremum_case")


def pytest_generate_tests(metafunc: Any) -> None:
    if "supremum_case" not in metafunc.fixturenames:
        return
    wanted: dict[str, Any] = {}
    for mark in reversed(list(metafunc.definition.iter_markers("supremum_cases"))):  # the nearest mark is the first
        if mark.args:
            raise pytest.UsageError(f"supremum_cases takes arguments by name, as operator='Max', not {mark.args[0]!r}")
        wanted.update(mark.kwargs)
    try:
        found = kit.cases(**wanted)
    except (TypeError, ValueError, OSError) as error:
        raise pytest.UsageError(f"{metafunc.definition.nodeid}: {error}") from error
    if patterns := metafunc.config.getoption("--kit-case"):
        found = [case for case in found if case.matches(patterns)]
    metafunc.parametrize("supremum_case", found, ids=[case.id for case in found])


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: Any, call: Any) -> Any:
    outcome = yield
    if call.when != "call" or call.excinfo is None:
        return
    report, error = outcome.get_result(), call.excinfo.value
    if isinstance(error, kit.Unsupported):
        report.outcome = "skipped"
        path, line = item.location[:2]
        report.longrepr = (str(path), line or 0, f"Skipped: unsupported: {error}")
    elif isinstance(error, kit.Deviation):
        report.longrepr = str(error)
        for rule in error.verdict.rules:
            report.user_properties.append((KEY, [rule, error.verdict.breaks, error.verdict.text, error.case.id]))
        if WHOSE.index(error.verdict.breaks) > WHOSE.index(item.config.getoption("--kit-fail-on")):
            report.outcome = "skipped"
            report.wasxfail = f"{error.verdict.text}: against {' and '.join(error.verdict.rules)} of {error.verdict.breaks}"


def pytest_terminal_summary(terminalreporter: Any) -> None:
    deviations: dict[tuple[str, str, str], list[str]] = {}
    for report in (*terminalreporter.getreports("failed"), *terminalreporter.getreports("xfailed")):
        for key, value in report.user_properties:
            if key == KEY:
                rule, breaks, text, case = value
                deviations.setdefault((rule, breaks, text), []).append(case)
    if not deviations:
        return
    terminalreporter.section("deviations of Max and ReduceMax", sep="=")
    for (rule, breaks, text), ids in sorted(deviations.items(), key=lambda one: (WHOSE.index(one[0][1]), one[0])):
        whose = {"supremum": "only supremum's"}.get(breaks, f"{breaks}'s")
        terminalreporter.write_line(f"{rule} ({whose}): {text}: {len(ids)} cases, such as {ids[0]}")
