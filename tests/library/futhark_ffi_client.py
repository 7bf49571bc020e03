"""Calls python.fut through the module that futhark-ffi made of its library; any failure raises."""
import importlib
import json
import sys

import numpy as np
from futhark_ffi import Futhark

sys.path.insert(0, '.')
program = Futhark(importlib.import_module('_python'), profiling=True, tuning={})


def check(got, wanted):
    got = program.from_futhark(got)
    assert got.dtype == wanted.dtype and np.array_equal(got, wanted), (got, wanted)


x = np.arange(1000, dtype=np.int64)
check(program.add(x, x * x), x + x * x)
check(program.bytes(np.array([0, 7, 255], np.uint8)), np.array([1, 8, 0], np.uint8))
check(program.add(x[:0], x[:0]), x[:0])
a = np.arange(12, dtype=np.float64).reshape(3, 4)
check(program.product(a, a.T), a @ a.T)
check(program.product(program.product(a, a.T), a), a @ a.T @ a)
assert program.both(1, 2.5) == (2, 5.0)

points = program.points(np.array([1, 2], np.float32), np.array([3, 4], np.float32))
check(program.weights(points), np.array([31, 42], np.float32))
stored = bytes(program.store_arr1d_point(points))
check(program.weights(program.restore_arr1d_point(stored)), np.array([31, 42], np.float32))
assert program.area(program.circle(2.0)) == 12 and program.area(program.box(2.0, 5.0)) == 10

try:
    program.positive(-3)
    raise SystemExit('this should have failed')
except ValueError as error:
    assert 'python.fut' in str(error), error
assert program.positive(3) == 3
try:
    program.add(x, x[1:])
    raise SystemExit('this should have failed')
except ValueError as error:
    assert 'invalid sizes' in str(error), error
assert 'events' in json.loads(program.report())
print('fine')
