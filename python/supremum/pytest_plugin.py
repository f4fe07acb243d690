"""A plugin of pytest: the conformance cases as parameters of a test.

    import functools, numpy, pytest

    @pytest.mark.supremum_cases(operator="Max", types=["float32", "int64"])
    def test_maximum(supremum_case):
        supremum_case.check(functools.reduce(numpy.maximum, supremum_case.arrays()))

A test with the argument `supremum_case` runs once for each case (supremum.kit.Case); the mark supremum_cases takes the arguments of
supremum.kit.cases. What raises supremum.kit.Unsupported is skipped. Options of pytest:

    --kit-case PATTERN     only cases whose id matches, as "max_signed_zeros/*"; can be given more than once; a
                           usage error if no test has such a case
    --kit-fail-on WHOSE    ONNX, SONNX or supremum (default): results that break only rules of the later ones are
                           reported as expected failures

What a fixture raises counts like what the test raises. The terminal's summary lists the deviations by rule. --runxfail has no effect on
them. An installed package registers the plugin; elsewhere: pytest -p supremum.pytest_plugin.
"""

from __future__ import annotations

from typing import Any

import pytest

from . import kit

KEY = "supremum"  # of the property of a report that tells of a deviation


def pytest_addoption(parser: Any) -> None:
    group = parser.getgroup("supremum", "conformance cases of Max and ReduceMax")
    group.addoption("--kit-case", action="append", metavar="PATTERN", help="only cases whose id matches, as 'max_signed_zeros/*'")
    group.addoption("--kit-fail-on", choices=kit.WHOSE, default=kit.WHOSE[-1], help="whose rules must be kept (default: supremum, all rules)")


def pytest_configure(config: Any) -> None:
    config.addinivalue_line("markers", "supremum_cases(operator, types, rules, ids, folder): the conformance cases of supremum_case")
    config.pluginmanager.register(Parameters(config.getoption("--kit-case") or []))


class Parameters:
    """Gives the tests their cases. What is wrong with a mark or with --kit-case is a usage error, once all tests are collected: pytest
    would show an error from within the collection under a traceback."""

    def __init__(self, patterns: list[str]) -> None:
        self.patterns = patterns
        self.without_case = list(patterns)
        self.errors: list[str] = []

    def pytest_generate_tests(self, metafunc: Any) -> None:
        if "supremum_case" not in metafunc.fixturenames:
            return
        found: list[kit.Case] = []
        try:
            found = self.cases(metafunc.definition)
        except (TypeError, ValueError, OSError) as error:
            self.errors.append(f"{metafunc.definition.nodeid}: {error}")
        self.without_case = [one for one in self.without_case if not any(case.matches([one]) for case in found)]
        if self.patterns:
            found = [case for case in found if case.matches(self.patterns)]
        metafunc.parametrize("supremum_case", found, ids=[case.id for case in found])

    def cases(self, definition: Any) -> list[kit.Case]:
        """The cases that the marks of a test name."""
        wanted: dict[str, Any] = {}
        for mark in reversed(list(definition.iter_markers("supremum_cases"))):  # the nearest mark is the first
            if mark.args:
                raise TypeError(f"supremum_cases takes arguments by name, as operator='Max', not {mark.args[0]!r}")
            wanted.update(mark.kwargs)
        return kit.cases(**wanted)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: Any) -> None:
        if not self.errors and not session.testsfailed:  # a file that could not be collected may have the case
            advice = "no collected test has such a case; ids are GROUP/NAME/TYPE, as 'max_signed_zeros/*'"
            advice += "; `pytest --collect-only` without --kit-case lists those of the tests"
            self.errors = [f"--kit-case '{one}': {advice}" for one in self.without_case]
        if self.errors:
            raise pytest.UsageError(*self.errors)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: Any, call: Any) -> Any:
    outcome = yield
    if call.excinfo is None:
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
        if kit.WHOSE.index(error.verdict.breaks) > kit.WHOSE.index(item.config.getoption("--kit-fail-on")):
            report.outcome = "skipped"
            report.wasxfail = f"{error.verdict.text}: against {' and '.join(error.verdict.rules)} of {error.verdict.breaks}"


def pytest_terminal_summary(terminalreporter: Any) -> None:
    deviations: dict[tuple[str, str, str], dict[str, None]] = {}  # of a case once, however many tests it fails
    for report in [report for kind in ("failed", "error", "xfailed") for report in terminalreporter.getreports(kind)]:
        for key, value in getattr(report, "user_properties", ()):  # of a test; a file that was not collected has none
            if key == KEY:
                rule, breaks, text, case = value
                deviations.setdefault((rule, breaks, text), {})[case] = None
    if not deviations:
        return
    terminalreporter.section("deviations of Max and ReduceMax", sep="=")
    for (rule, breaks, text), ids in sorted(deviations.items(), key=lambda one: (kit.WHOSE.index(one[0][1]), one[0])):
        whose = "only supremum" if breaks == kit.WHOSE[-1] else breaks
        terminalreporter.write_line(f"{whose}: {text} ({rule}): {len(ids)} case{'s' * (len(ids) > 1)}, such as {next(iter(ids))}")
