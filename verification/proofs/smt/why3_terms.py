"""Definitions of Why3 text as SMT-LIB definitions over bit vectors: of integers, conditions and elements, without quantifiers.

An element is a vector of its bits. An integer is a signed vector of three bits more, which holds every sum and difference of two
numbers below twice the number of patterns.
"""

from __future__ import annotations

import re

TOKEN = re.compile(r"\s*(->|<->|/\\|\\/|<=|>=|<>|[()=<>+\-*]|0x[0-9a-fA-F_]+|[0-9][0-9_]*|[A-Za-z_][\w'.]*)")
WORDS = {"if", "then", "else", "let", "in", "not", "true", "false"}


def without_comments(text: str) -> str:
    """Comments go; they do not nest here."""
    return re.sub(r"\(\*.*?\*\)", "", text, flags=re.S)


def module(text: str, name: str) -> str:
    """The body of a module."""
    return re.search(rf"^module {name}\b(.*?)^end$", without_comments(text), re.M | re.S)[1]


class Term:
    """A parser of one term, which gives its SMT-LIB text and its sort: Int, Bool or t."""

    def __init__(self, text: str, width: int, functions: dict[str, tuple[list[str], str]], variables: dict[str, tuple[str, str]]) -> None:
        self.tokens: list[str] = []
        at, text = 0, text.strip()
        while at < len(text):
            match = TOKEN.match(text, at)
            if not match:
                raise ValueError(f"no such term here: {text[at:]}")
            self.tokens.append(match[1])
            at = match.end()
        self.width = width + 3
        self.functions = functions
        self.variables = dict(variables)

    def parse(self) -> tuple[str, str]:
        """All of it."""
        result = self._expression()
        if self.tokens:
            raise ValueError(f"unexpected: {self.tokens}")
        return result

    def _next(self) -> str:
        return self.tokens.pop(0)

    def _peek(self) -> str:
        return self.tokens[0] if self.tokens else ""

    def _expect(self, token: str) -> None:
        if self._next() != token:
            raise ValueError(f"'{token}' is missing")

    def _expression(self) -> tuple[str, str]:
        if self._peek() == "if":
            self._next()
            condition = self._expression()[0]
            self._expect("then")
            yes, kind = self._expression()
            self._expect("else")
            return f"(ite {condition} {yes} {self._expression()[0]})", kind
        if self._peek() == "let":
            self._next()
            name = self._next()
            self._expect("=")
            value, kind = self._expression()
            self._expect("in")
            self.variables[name] = (name, kind)
            body, of_body = self._expression()
            return f"(let (({name} {value})) {body})", of_body
        left = self._disjunction()
        if self._peek() == "->":
            self._next()
            return f"(=> {left[0]} {self._expression()[0]})", "Bool"
        return left

    def _disjunction(self) -> tuple[str, str]:
        left = self._conjunction()
        if self._peek() == "\\/":
            self._next()
            return f"(or {left[0]} {self._disjunction()[0]})", "Bool"
        return left

    def _conjunction(self) -> tuple[str, str]:
        left = self._comparison()
        if self._peek() == "/\\":
            self._next()
            return f"(and {left[0]} {self._conjunction()[0]})", "Bool"
        return left

    def _comparison(self) -> tuple[str, str]:
        if self._peek() == "not":
            self._next()
            return f"(not {self._comparison()[0]})", "Bool"
        parts, operators = [self._sum()], []
        while self._peek() in ("<", "<=", ">", ">=", "=", "<>"):
            operators.append(self._next())
            parts.append(self._sum())
        claims = []
        for (a, _), (b, _), operator in zip(parts, parts[1:], operators):
            name = {"<": "bvslt", "<=": "bvsle", ">": "bvsgt", ">=": "bvsge", "=": "=", "<>": "distinct"}[operator]
            claims.append(f"({name} {a} {b})")
        if not claims:
            return parts[0]
        return claims[0] if len(claims) == 1 else f"(and {' '.join(claims)})", "Bool"

    def _sum(self) -> tuple[str, str]:
        if self._peek() == "-":
            self._next()
            left = f"(bvneg {self._product()[0]})", "Int"
        else:
            left = self._product()
        while self._peek() in ("+", "-"):
            operation = "bvadd" if self._next() == "+" else "bvsub"
            left = f"({operation} {left[0]} {self._product()[0]})", "Int"
        return left

    def _product(self) -> tuple[str, str]:
        left = self._application()
        while self._peek() == "*":
            self._next()
            left = f"(bvmul {left[0]} {self._application()[0]})", "Int"
        return left

    def _application(self) -> tuple[str, str]:
        token = self._peek()
        if token in self.functions and self.functions[token][0]:
            self._next()
            parameters, result = self.functions[token]
            return f"({token} {' '.join(self._atom()[0] for _ in parameters)})", result
        return self._atom()

    def _atom(self) -> tuple[str, str]:
        token = self._next()
        if token == "(":
            inside = self._expression()
            self._expect(")")
            return inside
        if token[0].isdigit():
            return f"(_ bv{int(token.replace('_', ''), 0)} {self.width})", "Int"
        if token in ("true", "false"):
            return token, "Bool"
        if token in self.variables:
            return self.variables[token]
        if token in self.functions and not self.functions[token][0]:
            return token, self.functions[token][1]
        raise ValueError(f"not known here: {token}")


def definitions(text: str, wanted: list[str], width: int, known: dict[str, tuple[list[str], str]]) -> str:
    """The SMT-LIB definitions of the functions and predicates `wanted`, in this order; `known` are those that are there already."""
    sorts = {"t": f"(_ BitVec {width})", "int": f"(_ BitVec {width + 3})", "Bool": "Bool"}
    kinds = {"t": "t", "int": "Int"}
    shown = []
    for name in wanted:
        head = rf"^  (function|predicate) {name}\b((?: \([\w ]+: \w+\))*)\s*(?:: (\w+))? ="
        pattern = head + r"(.*?)(?=\n\s*\n|\n  (?:function|predicate|clone|let|val|goal|axiom|constant|lemma)\b|\Z)"
        match = re.search(pattern, text, re.M | re.S)
        if not match:
            raise ValueError(f"no definition of {name}")
        parameters = [(p, kind) for group, kind in re.findall(r"\(([\w ]+): (\w+)\)", match[2]) for p in group.split()]
        result = "Bool" if match[1] == "predicate" else match[3]
        variables = {p: (p, kinds[kind]) for p, kind in parameters}
        body, _ = Term(match[4], width, known, variables).parse()
        known[name] = ([kinds[kind] for _, kind in parameters], kinds.get(result, result))
        shown.append(f"(define-fun {name} ({' '.join(f'({p} {sorts[kind]})' for p, kind in parameters)}) {sorts[result]} {body})")
    return "\n".join(shown)
