"""supremum.mpi on every rank of a program: mpirun -n RANKS python3 tests/python/mpi_ranks.py FOLDER

FOLDER is where CMake has built the stand-in for ml_dtypes. Every rank draws the same rows from one seed, and knows the result.
"""

import sys
import time
import types
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest import mock

from support import expected_max, np, same_bits, strategies, supremum

try:
    from mpi4py import MPI
except ImportError as missing:
    print(f"skipped: {missing}; scripts/setup.sh --engines installs it")
    sys.exit(77)

from supremum.mpi import MAX, TYPE  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "kit" / "cases"))
import oracle  # noqa: E402  (kit/cases)

WORLD, RANK, RANKS = MPI.COMM_WORLD, MPI.COMM_WORLD.rank, MPI.COMM_WORLD.size
SPECIAL = {"float16": (0x7C00, 0x8000), "bfloat16": (0x7F80, 0x8000), "float32": (0x7F800000, 1 << 31), "float64": (0x7FF << 52, 1 << 63)}


def rows(name, n, seed=1):
    """For each rank n elements' bits: half of them zeros, infinities and NaNs of either sign."""
    rng = np.random.default_rng(seed)
    width = 2 if name == "bfloat16" else np.dtype(name).itemsize
    found = rng.integers(0, 1 << 8 * width, (RANKS, n), dtype=f"u{width}", endpoint=False)
    if name in SPECIAL:
        infinity, sign = SPECIAL[name]
        special = np.array([0, sign, sign, sign, infinity, infinity | sign, infinity + 1, (infinity + 1) | sign], f"u{width}")
        found = np.where(rng.random((RANKS, n)) < 0.5, special[rng.integers(0, 8, (RANKS, n))], found)
    return found % 2 if name == "bool" else found


class Max(unittest.TestCase):
    # Rules: ORD-5, TYP-1
    def test_buffers_of_every_type(self):
        for name in strategies.TYPES + ("bool",):
            for n in (0, 1, 7, 1000, 20011):
                all_rows = rows(name, n, n).view(name)
                expected = np.logical_or.reduce(all_rows) if name == "bool" else expected_max(list(all_rows))
                own, op, kind = np.ascontiguousarray(all_rows[RANK]), MAX(name), TYPE(name)
                result = np.empty_like(own)
                WORLD.Allreduce([own, kind], [result, kind], op=op)
                self.assertIsNone(same_bits(result, expected), (name, n))
                WORLD.Reduce([own, kind], [result, kind] if RANK == RANKS - 1 else None, op=op, root=RANKS - 1)
                self.assertIsNone(same_bits(result, expected), (name, n))
                result = own.copy()
                WORLD.Iallreduce(MPI.IN_PLACE, [result, kind], op=op).Wait()
                self.assertIsNone(same_bits(result, expected), (name, n))
                if RANK > 0:
                    expected = np.logical_or.reduce(all_rows[: RANK + 1]) if name == "bool" else expected_max(list(all_rows[: RANK + 1]))
                WORLD.Scan([own, kind], [result, kind], op=op)
                self.assertIsNone(same_bits(result, own if RANK == 0 else expected), (name, n))

    # Rules: TYP-1
    def test_buffers_of_bfloat16(self):
        bits = rows("bfloat16", 3000)
        expected = [oracle.maximum("bfloat16", column) for column in bits.T.tolist()]
        result = np.empty(3000, "u2")
        WORLD.Allreduce([bits[RANK], TYPE("bfloat16")], [result, TYPE("bfloat16")], op=MAX("bfloat16"))
        self.assertEqual(result.tolist(), expected)
        array = bits.view(np.dtype(ml_dtypes.bfloat16))[RANK]
        found = WORLD.allreduce(array, op=MAX(array.dtype))
        self.assertEqual(found.view("u2").tolist(), expected)
        found = WORLD.allreduce(array[5], op=MAX(array.dtype))  # a scalar
        self.assertEqual(np.asarray(found).view("u2").tolist(), expected[5])
        contiguous = TYPE("bfloat16").Create_contiguous(3).Commit()
        result = bits[RANK].copy()
        WORLD.Allreduce(MPI.IN_PLACE, [result, 1000, contiguous], op=MAX("bfloat16"))
        contiguous.Free()
        self.assertEqual(result.tolist(), expected)

    # Rules: ORD-2, ORD-3, ORD-4
    def test_objects(self):
        for of in range(RANKS):
            number = WORLD.allreduce(0.0 if RANK == of else -0.0, op=MAX("float64"))
            self.assertIsNone(same_bits(number, np.zeros((), "f8")))
            for name in ("float16", "float32"):
                row = np.array([np.nan if RANK == of else 1, 0.0 if RANK == of else -0.0], name)
                found = WORLD.allreduce(row, op=MAX(name))
                self.assertIsNone(same_bits(found, expected_max([np.array([np.nan, 0.0], name)])))
                self.assertTrue(np.isnan(WORLD.allreduce(row[0], op=MAX(name))))
        self.assertEqual(WORLD.allreduce(RANK - 5, op=MAX("int8")), RANKS - 6)
        self.assertEqual(WORLD.allreduce(RANK == 0, op=MAX(bool)), True)
        self.assertEqual(WORLD.scan(RANK, op=MAX("int64")), RANK)

    # Rules: TYP-1, TYP-2
    def test_other_types_are_refused(self):
        for dtype in ("complex64", "M8[s]", "f16", ">f4", "float3", "S3", None, 3):
            for function in (MAX, TYPE):
                with self.assertRaisesRegex(supremum.InvalidType, "TYP-1"):
                    function(dtype)
        for other in (np.float64(1), np.ones(2), [1.0], None):
            with self.assertRaisesRegex(supremum.InvalidType, "TYP-2"):
                MAX("float32")(np.float32(1), other)  # as mpi4py calls it for objects
        self.assertRaisesRegex(supremum.InvalidType, "masked", MAX("bool"), np.ma.array([True], mask=[True]), np.array([False]))

    # Rules: TYP-2
    def test_a_number_that_is_no_element_of_the_type_is_refused(self):
        for name, number, kind, text in (
            ("int8", 300, supremum.InvalidValue, r"an operand of MAX\('int8'\) is 300, which is out of the range"),
            ("uint8", -1, supremum.InvalidValue, "out of the range"),
            ("float16", 1e6, supremum.InvalidValue, "out of the range"),
            ("int64", 1 << 63, supremum.InvalidValue, "out of the range"),
            ("int32", 1.5, supremum.InvalidType, "of type float and the operation has type int32.*TYP-2"),
            ("int32", np.nan, supremum.InvalidType, "TYP-2"),
            ("bool", 2, supremum.InvalidType, "TYP-2"),
        ):
            for operands in ((number, number), (number, np.ones((), name)), (np.ones((), name), number)):
                with self.assertRaisesRegex(kind, text):
                    MAX(name)(*operands)

    def test_one_operation_and_one_datatype_for_a_type(self):
        self.assertIs(MAX("f4"), MAX(np.float32))
        self.assertTrue(MAX("f4").Is_commutative())
        self.assertEqual((TYPE("float16").Get_size(), TYPE("float16").Get_name()), (2, "float16"))

    def test_threads_that_ask_at_once_get_one_operation(self):
        class Slow:
            @staticmethod
            def Create(*_, **__):
                time.sleep(0.05)
                return object()

        kept = dict(supremum.mpi._OPS)
        supremum.mpi._OPS.clear()
        try:
            with mock.patch.object(supremum.mpi, "MPI", types.SimpleNamespace(Op=Slow)), ThreadPoolExecutor(4) as pool:
                self.assertEqual(len(set(map(id, pool.map(MAX, ["int8"] * 4)))), 1)
        finally:
            supremum.mpi._OPS.clear()
            supremum.mpi._OPS.update(kept)


if __name__ == "__main__":
    sys.path.append(sys.argv.pop(1))
    import ml_dtypes

    # A rank that has failed ends all: the others may wait for it.
    outcome = unittest.main(verbosity=1 if RANK == 0 else 0, failfast=True, exit=False).result
    if not outcome.wasSuccessful():
        sys.stderr.flush()
        WORLD.Abort(1)
