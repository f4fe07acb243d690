"""Rounding towards +inf, defined in bit-vectors: what enclosure.py asks of the sums of f32 and f64.

Answers on wide sums in the theory of floating-point numbers have not been waited for. Here each case has shifts by constants. z and
e > 0 are finite. An exponent is at least 1, of subnormal numbers too; the larger one is m more than the smaller one. At the scale of
the smaller one both numbers are integers, and S is the absolute value of their exact sum. The cases, by sign and size:

    sum               z > 0
    difference up     z < 0, and |z| < e: the result is positive
    difference down   z < 0, and |z| > e: the result is negative

Near (m <= p, for significands of p bits): let the result u have an exponent k more than the smaller one. Floats next to u are 2^k
apart, so that u is the least float that is not below the sum if its significand is S / 2^k, rounded up where u is positive and down
where it is negative. Below a positive power of two they are 2^(k-1) apart: there twice the significand is S / 2^(k-1), rounded up.
Infinity is right if S exceeds the largest finite number.

Far (m > p): the smaller number is below 2^p, and floats next to the larger one are at least 2^(m-1) >= 2^p from it. So the sum is
between the larger one and a neighbour of it, and the result is the upper one of these two.

`agreement` asks whether these definitions are fp.add RTP, of f16, without any code.

z may be the smaller number of a sum, too: Upper is symmetric. Lower is Upper's mirror. Both are asked with the functions Sum and
Difference as any functions at all, which is more than what is needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

THEOREMS = {
    "sum": "z > 0, e > 0, finite: Upper(z, e) is the least float >= z + e, or +inf",
    "difference up": "z < 0 < e, |z| < e, finite: Upper(z, e) is the least float >= z + e",
    "difference down": "z < 0 < e, |z| > e, finite: Upper(z, e) is the least float >= z + e",
}
CASES = tuple(THEOREMS)
# How far the difference of two numbers of near exponents is shifted up, in one question: more take long.
SHIFTS = 14


def constant(value: int, width: int) -> str:
    """A bit-vector."""
    return f"(_ bv{value % (1 << width)} {width})"


def define(name: str, width: int, body: str) -> str:
    """A name for a term."""
    return f"(define-fun {name} () (_ BitVec {width}) {body})"


@dataclass(frozen=True)
class Claim:
    """A claim; `given` are declarations and assumptions, `calls` the functions without the type's name."""

    name: str
    given: list[str]
    claim: str
    calls: tuple[str, ...] = ("upper",)
    expected: str = "unsat"
    of_any_functions: bool = False


@dataclass(frozen=True)
class Format:
    """A binary format, and its questions."""

    width: int
    exponent: int

    @property
    def p(self) -> int:
        """The bits of a significand, its leading one included."""
        return self.width - self.exponent

    @property
    def infinity(self) -> int:
        """Its pattern."""
        return ((1 << self.exponent) - 1) << (self.p - 1)

    def _operands(self, case: str) -> list[str]:
        """z and e, from `big` and `small`."""
        z, e = ("small", "big") if case == "difference up" else ("big", "small")
        sign = "#b0" if case == "sum" else "#b1"
        return [define("z", self.width, f"(concat {sign} {z})"), define("e", self.width, f"(concat #b0 {e})")]

    def _given(self, case: str, m: int) -> list[str]:
        """z and e of exponents m apart, their exact sum at 2^-1 of the scale, and the fields of u."""
        width, exponent, p = self.width, self.exponent, self.p
        wide = p + m + 3
        zero, leading = constant(0, exponent), "(ite (= {} " + constant(0, exponent) + ") #b0 #b1)"
        given = [f"(declare-const {name} (_ BitVec {p - 1}))" for name in ("big.fraction", "small.fraction")]
        given.append(f"(declare-const small.field (_ BitVec {exponent}))")
        given.append(f"(assert (bvule small.field {constant((1 << exponent) - 2 - m, exponent)}))")
        given.append(define("least", exponent, f"(ite (= small.field {zero}) {constant(1, exponent)} small.field)"))
        if m > 0:
            given.append(define("big.field", exponent, f"(bvadd least {constant(m, exponent)})"))
        else:
            one = constant(1, exponent)
            given.append(f"(declare-const big.field (_ BitVec {exponent}))")
            given.append(f"(assert (or (= small.field big.field) (and (bvule small.field {one}) (bvule big.field {one}))))")
        given += [define(name, width - 1, f"(concat {name}.field {name}.fraction)") for name in ("big", "small")]
        if m == 0 and case != "sum":
            given.append("(assert (bvugt big small))")
        given += self._operands(case)
        for name, shift in (("big", m + 1), ("small", 1)):
            bits = f"(concat {constant(0, wide - p - shift)} {leading.format(name + '.field')} {name}.fraction {constant(0, shift)})"
            given.append(define(f"{name}.number", wide, bits))
        given.append(define("S", wide, f"({'bvadd' if case == 'sum' else 'bvsub'} big.number small.number)"))
        given.append(f"(declare-const u (_ BitVec {width}))")
        given.append(define("field", exponent, f"((_ extract {width - 2} {p - 1}) u)"))
        given.append(define("fraction", p - 1, f"((_ extract {p - 2} 0) u)"))
        given.append(define("significand", wide + 1, f"(concat {constant(0, wide + 1 - p)} {leading.format('field')} fraction)"))
        given.append(define("power", exponent, f"(ite (= field {zero}) {constant(1, exponent)} field)"))
        # The exponent of u less the smaller one, and what it is less than the smaller one.
        given.append(define("shift", exponent + 1, "(bvsub (concat #b0 power) (concat #b0 least))"))
        given.append(define("up", exponent + 1, "(bvneg shift)"))
        return given

    def _rounded(self, case: str, m: int, rounding: str) -> str:
        """That u is the rounded sum."""
        exponent, p = self.exponent, self.p
        wide = p + m + 3
        floor = rounding == "down"

        def divided(k: int) -> str:
            """S / 2^k, rounded."""
            quotient = f"((_ zero_extend {k + 1}) ((_ extract {wide - 1} {k}) S))"
            if floor or k == 0:
                return quotient
            above = f"(= ((_ extract {k - 1} 0) S) {constant(0, k)})" if rounding == "up" else f"(= ((_ extract {k - 1} {k - 1}) S) #b0)"
            return f"(bvadd {quotient} (ite {above} {constant(0, wide + 1)} {constant(1, wide + 1)}))"

        def at(k: int) -> str:
            """The claim for a shift, k - 1 because of the bit below the scale."""
            same = f"(= significand {divided(k)})"
            if not floor:
                power_of_two = f"(and (= fraction {constant(0, p - 1)}) (bvugt field {constant(1, exponent)}))"
                same = f"(ite {power_of_two} (= (bvshl significand {constant(1, wide + 1)}) {divided(k - 1)}) {same})"
            infinite = f"(and (= fraction {constant(0, p - 1)}) (bvugt S {constant(((1 << p) - 1) << (k - 1), wide)}))"
            return f"(and (= shift {constant(k - 1, exponent + 1)}) (ite (= field {constant(-1, exponent)}) {infinite} {same}))"

        shifts = (m + 1, m + 2) if case == "sum" else (m, m + 1) if m >= 2 else (2,) if m == 1 else ()
        claims = [at(k) for k in shifts]
        if case != "sum" and m < 2:  # the difference of near numbers is shifted up, and exact
            by = f"((_ zero_extend {wide - exponent}) up)"
            shifted = f"(bvshl ((_ zero_extend 1) S) {by})"
            nothing_lost = f"(= (bvlshr {shifted} {by}) ((_ zero_extend 1) S))"
            exact = f"(= (bvshl significand {constant(1, wide + 1)}) {shifted})"
            claims.append(f"(and (bvult up {constant(p, exponent + 1)}) {nothing_lost} {exact})")
        sign = "#b1" if case == "difference down" else "#b0"
        return f"(and (= ((_ extract {self.width - 1} {self.width - 1}) u) {sign}) (or false {' '.join(claims)}))"

    def near(self, case: str, m: int, of_function: bool = True, rounding: str = "") -> Iterator[Claim]:
        """The questions of exponents m <= p apart."""
        given, name = self._given(case, m), f"{case}, exponents {m} apart"
        claim = self._rounded(case, m, rounding or ("down" if case == "difference down" else "up"))
        if not of_function:
            yield Claim(f"Definition, {name}", given, f"(= {claim} {self._is_ieee_sum('u')})", ())
            return
        given.append("(assert (= u (upper z e)))")
        if rounding:
            yield Claim(f"Upper, {name}, rounded {rounding}", given, claim, expected="sat")
            return
        if case == "sum" or m >= 2:
            yield Claim(f"Upper, {name}", given, claim)
            return
        within = []
        for first in range(0, self.p, SHIFTS):
            limits = [constant(value, self.exponent + 1) for value in (first, first + SHIFTS)]
            within.append(f"(and (bvuge up {limits[0]}) (bvult up {limits[1]}))")
            yield Claim(f"Upper, {name}, shifted up by {first} to {first + SHIFTS - 1}", [*given, f"(assert {within[-1]})"], claim)
        yield Claim(f"Upper, {name}, not shifted up", [*given, f"(assert (not (or {' '.join(within)})))"], claim)

    def _is_ieee_sum(self, u: str) -> str:
        """That a pattern is the sum in the theory of floating-point numbers."""
        number = f"(_ to_fp {self.exponent} {self.p})"
        return f"(= ({number} {u}) (fp.add RTP ({number} z) ({number} e)))"

    def far(self, case: str, m: int, of_function: bool = True) -> Claim:
        """The question of exponents at least m apart."""
        exponent, p = self.exponent, self.p
        sorts = {"field": exponent, "fraction": p - 1}
        given = [f"(declare-const {name}.{part} (_ BitVec {bits}))" for name in ("big", "small") for part, bits in sorts.items()]
        given += [define(name, self.width - 1, f"(concat {name}.field {name}.fraction)") for name in ("big", "small")]
        least = f"(concat #b0 (ite (= small.field {constant(0, exponent)}) {constant(1, exponent)} small.field))"
        given.append(f"(assert (distinct big.field {constant(-1, exponent)}))")
        given.append(f"(assert (bvuge (concat #b0 big.field) (bvadd {least} {constant(m, exponent + 1)})))")
        given.append(f"(assert (distinct small {constant(0, self.width - 1)}))")
        given += self._operands(case)
        one = constant(1, self.width)
        result = {"sum": f"(bvadd z {one})", "difference up": "e", "difference down": f"(bvsub z {one})"}[case]
        name = f"{case}, exponents at least {m} apart"
        if not of_function:
            return Claim(f"Definition, {name}", given, self._is_ieee_sum(result), ())
        return Claim(f"Upper, {name}", given, f"(= (upper z e) {result})", expected="sat" if m <= p else "unsat")

    def of_special(self) -> Iterator[Claim]:
        """What is not finite, zeros, sums of zero, and that nothing is undefined."""
        width = self.width
        given = [f"(declare-const {name} (_ BitVec {width}))" for name in "ze"]
        finite = "(distinct ((_ extract {} {}) {{}}) {})".format(width - 2, self.p - 1, constant(-1, self.exponent))
        infinite = f"(= (upper z e) {constant(self.infinity, width)})"
        yield Claim("Upper, not finite", [*given, f"(assert (not (and {finite.format('z')} {finite.format('e')})))"], infinite)
        no_magnitude = "(= (bvshl {} " + constant(1, width) + ") " + constant(0, width) + ")"
        both = [*given, f"(assert (and {finite.format('z')} {finite.format('e')}))"]
        yield Claim("Upper, e is 0", [*both, f"(assert {no_magnitude.format('e')})"], "(= (upper z e) z)")
        positive = f"(assert (bvsgt e {constant(0, width)}))"
        yield Claim("Upper, z is 0", [*both, positive, f"(assert {no_magnitude.format('z')})"], "(= (upper z e) e)")
        sum_of_zero = f"(assert (= z (bvor e {constant(1 << width - 1, width)})))"
        yield Claim("Upper, z is -e", [*both, positive, sum_of_zero], f"(= (upper z e) {constant(0, width)})")
        # A bound below zero is refused before (CheckNotNegative); -0 and NaN are not.
        sign = 1 << width - 1
        refused = f"(and (bvugt e {constant(sign, width)}) (bvule e {constant(sign | self.infinity, width)}))"
        yield Claim("Upper is defined", [*given, f"(assert (not {refused}))"], "(not (upper.undefined z e))")

    def of_any_functions(self) -> Iterator[Claim]:
        """Symmetry and the mirror."""
        magnitudes = [f"(declare-const {name} (_ BitVec {self.width - 1}))" for name in "ab"]
        positive = [f"(assert (distinct {name} {constant(0, self.width - 1)}))" for name in "ab"]
        swapped = "(= (upper (concat #b0 a) (concat #b0 b)) (upper (concat #b0 b) (concat #b0 a)))"
        yield Claim("Upper is symmetric", [*magnitudes, *positive], swapped, of_any_functions=True)
        given = [magnitudes[0], f"(declare-const e (_ BitVec {self.width}))"]
        sign = constant(1 << self.width - 1, self.width)
        for name, z, minus_z in (("positive", "#b0", "#b1"), ("negative", "#b1", "#b0")):
            z, minus_z = (f"(concat {bit} a)" for bit in (z, minus_z))
            mirror = f"(and (= (lower {z} e) (bvxor {sign} (upper {minus_z} e)))"
            mirror += f" (= (lower.undefined {z} e) (upper.undefined {minus_z} e)))"
            yield Claim(f"Lower is Upper's mirror, z {name}", given, mirror, ("upper", "lower"), of_any_functions=True)

    def claims(self) -> Iterator[Claim]:
        """All of Upper and Lower, and controls."""
        for case in CASES:
            for m in range(self.p + 1):
                yield from self.near(case, m)
            yield self.far(case, self.p + 1)
        yield from self.of_special()
        yield from self.of_any_functions()
        for case in CASES:
            yield from self.near(case, 5, rounding="up" if case == "difference down" else "down")
            yield from self.near(case, 5, rounding="to nearest")
        yield self.far("difference down", self.p)

    def agreement(self) -> Iterator[Claim]:
        """That the definition is IEEE 754's, in the theory of floating-point numbers."""
        for case in CASES:
            for m in range(self.p + 1):
                yield from self.near(case, m, of_function=False)
            yield self.far(case, self.p + 1, of_function=False)
