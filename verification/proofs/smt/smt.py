"""SMT-LIB text as definitions: read, shown again, renamed, and cut down to what a claim needs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Union

Expression = Union[str, list["Expression"]]


def read(text: str) -> list[Expression]:
    """The s-expressions of a text; comments are dropped."""
    tokens = re.findall(r"[()]|[^\s()]+", re.sub(r";.*", "", text))
    stack: list[list[Expression]] = [[]]
    for token in tokens:
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    assert len(stack) == 1, f"a parenthesis is not closed: {text}"
    return stack[0]


def show(expression: Expression) -> str:
    """The text of an expression."""
    return expression if isinstance(expression, str) else "(" + " ".join(map(show, expression)) + ")"


def symbols(expression: Expression) -> set[str]:
    """All names in an expression."""
    if isinstance(expression, str):
        return {expression}
    return set().union(*map(symbols, expression))


@dataclass(frozen=True)
class Function:
    """(define-fun name ((parameter sort) ...) result body)"""

    name: str
    parameters: tuple[tuple[str, str], ...]
    result: str
    body: Expression

    def show(self) -> str:
        """The definition's text."""
        parameters = " ".join(f"({name} {sort})" for name, sort in self.parameters)
        return f"(define-fun {self.name} ({parameters}) {self.result} {show(self.body)})"


class Definitions(dict[str, Function]):
    """Functions by their names, each after those that it calls."""

    def add(self, text: str) -> None:
        """Adds the definitions in a text."""
        for _, name, parameters, result, body in read(text):
            assert name not in self, f"{name} is defined twice"
            self[name] = Function(name, tuple((p, show(sort)) for p, sort in parameters), show(result), body)

    def needed_by(self, expression: Expression) -> Definitions:
        """What an expression calls, directly or not."""
        names, fresh = set(), symbols(expression) & self.keys()
        while fresh:
            names |= fresh
            fresh = set().union(*(symbols(self[name].body) for name in fresh)) & self.keys() - names
        return Definitions({name: function for name, function in self.items() if name in names})
