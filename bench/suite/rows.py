"""The rows that are measured: programs of diku-dk/futhark-benchmarks, entry points, a name for the data, and how these are made: a function of
data.py with its arguments, or a file of the suite. The second is small, to try whether all of it works.
"""
M = 1_000_000
B = 30 * M


def r(*values):
    """As Futhark's random data; for numbers themselves, and for arrays what v says."""
    return ("rnd", *values)


def v(type_name, *shape):
    return (type_name, shape)


ROWS = [
 ('rodinia/nw/nw', [('main', 'large (made 2048)', ('nw', 2048), ('nw', 128))]),
 ('misc/bfast/bfast-cloudy', [('main', '111556 pixels', ('bfast_cloudy', 111556, 235, 113), ('bfast_cloudy', 300, 235, 113))]),
 ('misc/bfast/bfast', [('main', '67968 pixels', ('bfast_clear', 67968, 235, 113), ('bfast_clear', 300, 235, 113))]),
 ('micro/mmm/lud-internal', [('main', '128x128 of 32x32', r(v('f32', 128, 32, 32), v('f32', 128, 32, 32), v('f32', 128, 128, 32, 32)), r(v('f32', 5, 7, 7), v('f32', 5, 7, 7), v('f32', 5, 5, 7, 7))),
    ('main', '256x256 of 16x16', r(v('f32', 256, 16, 16), v('f32', 256, 16, 16), v('f32', 256, 256, 16, 16)), r(v('f32', 6, 16, 16), v('f32', 6, 16, 16), v('f32', 6, 6, 16, 16)))]),
 ('accelerate/canny/canny', [('main', '%dx%d' % (n, n), r(50.0, 100.0, v('i32', n, n)), r(50.0, 100.0, v('i32', 20, 30))) for n in (256, 512, 4096)]),
 ('rodinia/lud/lud', [('main', '2048 (made)', ('lud', 2048), ('lud', 100)), ('main', '1000 (made)', ('lud', 1000), ('lud', 64))]),
 ('rodinia/hotspot/hotspot', [('main', '512 (made)', ('hotspot', 512, 360), ('hotspot', 128, 20))]),
 ('accelerate/smoothlife/smoothlife', [('main', '128', ('scalars', 128), ('scalars', 32)), ('main', '512', ('scalars', 512), ('scalars', 64))]),
 ('pbbs/convexHull/convexhull', [('main', 'in sphere 1M', ('disc', M), ('disc', 3000)), ('main', 'in sphere 100K', ('disc', 100000), ('disc', 500))]),
 ('accelerate/pagerank/pagerank', [('main', '200K, 4M links', ('pagerank', 200000, 4*M, 10), ('pagerank', 300, 3000, 3))]),
 ('pbbs/maximalIndependentSet/maximalIndependentSet', [('main', '500K, 2.5M', ('csr', 500000, 2500000), ('csr', 400, 2000))]),
 ('pbbs/breadthFirstSearch/breadthFirstSearch', [('main', '500K, 2.5M', ('csr', 500000, 2500000), ('csr', 400, 2000))]),
 ('pbbs/maximalMatching/maximalMatching', [('main', '500K, 2.5M', ('edges', 500000, 2500000), ('edges', 400, 2000))]),
 ('pbbs/minSpanningForest/minSpanningForest', [('main', '200K, 1M', ('edges', 200000, M, True), ('edges', 300, 2000, True))]),
 ('pbbs/comparisonSort/merge_sort', [('sort_f64', '4M', ('floats', 4*M), ('floats', 3000)), ('sort_f64_pair', '2M', ('pairs', 2*M), ('pairs', 3000))]),
 ('pbbs/comparisonSort/quick_sort', [('sort_f64', '4M', ('floats', 4*M), ('floats', 3000)), ('sort_f64_pair', '2M', ('pairs', 2*M), ('pairs', 3000))]),
 ('pbbs/rangeQuery2d/range', [('main', '100K', ('disc', 100000), ('disc', 900))]),
 ('pbbs/rangeQuery2d/naive', [('main', '100K', ('disc', 100000), ('disc', 900))]),
 ('pbbs/ray/ray', [('main', '200K triangles, 500K rays', ('triangles', 200000, 500000), ('triangles', 300, 500))]),
 ('micro/scan-weird', [('scan_vector', '30K x 1000', r(30000, 1000, v('i32', B)), r(30, 10, v('i32', 300))),
    ('scan_vector', '3M x 10', r(3*M, 10, v('i32', B)), r(300, 10, v('i32', 3000))),
    ('scan_arr', '300K x 100', r(300000, 100, v('i32', B)), r(30, 10, v('i32', 300))),
    ('scan_arr', '3M x 10', r(3*M, 10, v('i32', B)), r(300, 10, v('i32', 3000))),
    ('scan_fanin', '30K x 1000', r(30000, 1000, v('i32', B)), r(30, 10, v('i32', 300))),
    ('scan_fanin', '3M x 10', r(3*M, 10, v('i32', B)), r(300, 10, v('i32', 3000)))]),
 ('misc/ocean-sim/tridiag-test', [(e, '57600 x 115', ('tri', 57600, 115), ('tri', 20, 115)) for e in ('tridagNested', 'tridagNestedConst', 'tridagNestedSeq', 'tridagNestedSeqConst')]),
 ('misc/ocean-sim/tke', [('main', '200x200x100', ('tke', 200, 200, 100), ('tke', 5, 6, 7))]),
 ('adbench/gmm', [(e, 'n10k d32 K25', ('gmm', 10000, 32, 25), ('gmm', 20, 4, 5)) for e in ('calculate_objective', 'calculate_jacobian')] + [
    ('calculate_jacobian', 'n1k d64 K100', ('gmm', 1000, 64, 100), ('gmm', 30, 3, 4)), ('calculate_objective', 'n10k d10 K5', ('gmm', 10000, 10, 5), ('gmm', 20, 3, 4))]),
 ('adbench/ba', [(e, 'n49 m7776 p31843', ('ba', 49, 7776, 31843), ('ba', 5, 10, 30)) for e in ('calculate_objective', 'calculate_jacobian')]),
 ('adbench/lstm', [(e, 'l2 c1024 d14', ('lstm', 2, 1024, 14), ('lstm', 2, 20, 5)) for e in ('calculate_objective', 'calculate_jacobian')]),
 ('adbench/hand', [('calculate_objective', 'simple c400', ('hand_simple', 400), ('hand_simple', 20)), ('calculate_jacobian', 'simple c400', ('hand_simple', 400), ('hand_simple', 20)),
    ('calculate_jacobian', 'complicated c400', ('hand_complicated', 400), ('hand_complicated', 20))]),
 ('rodinia/particlefilter/particlefilter', [('main', '10000 (made)', ('particles', 10000), ('particles', 200)), ('main', '100000 (made)', ('particles', 100000), ('particles', 100))]),
 ('rodinia/myocyte/myocyte', [('main', 'medium', ('file', 'rodinia/myocyte/data/medium.in'), ('file', 'rodinia/myocyte/data/small.in'))]),
 ('rodinia/nn/nn', [('main', '800K (made)', ('nn', 855280, 100), ('nn', 1000, 10))]),
 ('rodinia/bfs/bfs_filt_padded_fused', [('main', '1M nodes', ('bfs', 1048576, 6), ('bfs', 2000, 6))]),
 ('rodinia/bfs/bfs_heuristic', [('main', '1M nodes', ('bfs', 1048576, 6), ('bfs', 2000, 6))]),
 ('rsbench/rsbench', [('main', 'small (made)', ('rs', M), ('rs', 1000, 5, 100, 10)), ('diff', 'small (made)', ('rs', 200000), ('rs', 1000, 5, 100, 10))]),
 ('accelerate/tunnel/tunnel', [('main', '4000', ('scalars', 10.0, 4000, 4000), ('scalars', 10.0, 40, 30))]),
 ('accelerate/ray/trace', [('main', '800x600', ('scalars', 800, 600, 100, 50.0, -100.0, -700.0, 1.5707, 0.0, 4, 0.0), ('scalars', 80, 60, 100, 50.0, -100.0, -700.0, 1.5707, 0.0, 4, 0.0))]),
 ('accelerate/nbody/nbody-bh', [('main', '10000', ('bodies', 10000), ('bodies', 100)), ('main', '100000', ('bodies', 100000), ('bodies', 200))]),
 ('jgf/crypt/crypt', [('main', '50M', ('crypt', 50*M), ('crypt', 800))]),
 ('jgf/series/series', [('main', '10000', ('scalars', 10000), ('scalars', 20)), ('main', '100000', ('scalars', 100000), ('scalars', 200))]),
 ('misc/poseidon/poseidon-bench', [('arity8', '2.24M', r(v('u64', 2240000)), r(v('u64', 3200))), ('arity11', '1.76M', r(v('u64', 1760000)), r(v('u64', 4400)))]),
 ('misc/knn-by-kdtree/buildKDtree', [('main', 'ppl 32, 2M', ('kd', 32, 2097152, 7), ('kd', 8, 500, 3))]),
 ('misc/knn-by-kdtree/driver-knn', [('main', 'ppl 256, 512K, 1M', ('kd', 256, 524288, 7, M), ('kd', 8, 512, 3, 100))]),
 ('micro/reduce_by_index', [(e, '%d bins' % k, r(k, v('i32', M), v('i32', M)), r(k, v('i32', 2000), v('i32', 2000))) for e, k in (('argmax_i32', 10), ('argmax_i32', 1000), ('argmax_i32', 100000), ('absmax_i32', 1000))] + [
    ('sum_vec_i32', '10 x 1000', r(10, v('i32', 1000), v('i32', M)), r(10, v('i32', 10), v('i32', 300))), ('sum_vec_i32', '10000 x 100', r(10000, v('i32', 10000), v('i32', M)), r(10, v('i32', 100), v('i32', 300))),
    ('sum_vec_i32', '10 x 100', r(10, v('i32', 10000), v('i32', M)), r(10, v('i32', 100), v('i32', 300))),
    ('sum_i8', '1000 bins', r(1000, v('i32', M), v('i8', M)), r(10, v('i32', 1000), v('i8', 1000))), ('sum_f16', '1000 bins', r(1000, v('i32', M), v('f16', M)), r(10, v('i32', 1000), v('f16', 1000))),
    ('sum_i32_f32', '1000 bins', r(1000, v('i32', M), v('i32', M), v('f32', M)), r(10, v('i32', 1000), v('i32', 1000), v('f32', 1000)))]),
 ('micro/reduce_by_index-segmented', [('sum_i32', '%d bins' % k, r(k, v('i32', 256, 4000), v('i32', 256, 4000)), r(k, v('i32', 3, 40), v('i32', 3, 40))) for k in (10, 100000)]),
 ('micro/reduce', [(e, '30M', r(v('i32', B)), r(v('i32', 3000))) for e in ('sum_i8', 'sum_i32', 'sum_f64', 'sum_scaled_i32', 'sum_scaled_f64', 'lss_i8', 'lss_f64')] + [
    ('prod_mat4_i32', '10M', ('mat4', 10*M), ('mat4', 1000)), ('prod_mat4_f64', '10M', ('mat4', 10*M), ('mat4', 1000)), ('sum_i32', '100K', r(v('i32', 100000)), r(v('i32', 100))),
    ('sum_iota_i8', '30M', ('scalars', B), ('scalars', 100)), ('lss_iota_f32', '30M', ('scalars', B), ('scalars', 100)), ('prod_iota_mat4_i32', '30M', ('scalars', B), ('scalars', 100))]),
 ('micro/scan', [(e, '30M', r(v('i32', B)), r(v('i32', 3000))) for e in ('sum_i8', 'sum_i64', 'sum_f64', 'sum_scaled_i32', 'lss_i8', 'lss_f64')] + [
    ('prod_mat4_i32', '10M', ('mat4', 10*M), ('mat4', 1000)), ('prod_mat4_f64', '10M', ('mat4', 10*M), ('mat4', 1000)), ('sum_i32', '100K', r(v('i32', 100000)), r(v('i32', 100))),
    ('sum_iota_i8', '30M', ('scalars', B), ('scalars', 100)), ('lss_iota_f32', '30M', ('scalars', B), ('scalars', 100)), ('prod_iota_mat4_i32', '10M', ('scalars', 10*M), ('scalars', 100))]),
 ('micro/reduce-segmented', [('sum_i32', '%dx%d' % (n, B//n), r(n, B//n, v('i32', B)), r(n % 999, 7, v('i32', 7 * (n % 999)))) for n in (1, 10, 1000, M, 10*M, B)] + [
    ('sum_i8', '%dx%d' % (n, B//n), r(n, B//n, v('i8', B)), r(n % 999, 7, v('i8', 7 * (n % 999)))) for n in (10, 100000, 10*M)] + [
    ('sum_iota_i32', '%dx%d' % (n, B//n), ('scalars', n, B//n), ('scalars', n % 999, 7)) for n in (10, 100000)] ),
 ('micro/scan-segmented', [('sum_i32', '%dx%d' % (n, 10*M//n), r(v('i32', n, 10*M//n)), r(v('i32', n % 999, 7))) for n in (1, 10, 100000, M, 10*M)] + [
    ('sum_iota_i32', '%dx%d' % (n, 10*M//n), ('scalars', n, 10*M//n), ('scalars', n % 999, 7)) for n in (100, M)]),
 ('micro/transpose', [('transpose_i32', '%dx%d' % (n, B//n), r(n, B//n, v('i32', B)), r(n % 999, 7, v('i32', 7 * (n % 999)))) for n in (2, 10, 1000, 3*M, 15*M)] + [
    ('transpose_i8', '%dx%d' % (n, B//n), r(n, B//n, v('i8', B)), r(n % 999, 7, v('i8', 7 * (n % 999)))) for n in (4, 1000, 10000, 30000, 3*M)] + [
    ('transpose_i64', '5000x6000', r(5000, 6000, v('i64', B)), r(3, 7, v('i64', 21))), ('map_transpose_i32', '300x1000x100', r(300, 1000, 100, v('i32', B)), r(3, 4, 5, v('i32', 60))),
    ('map_transpose_i32', '3x10000000x1', r(3, 10*M, 1, v('i32', B)), r(3, 4, 1, v('i32', 12))), ('map_transpose_i32', '1x3000000x10', r(1, 3*M, 10, v('i32', B)), r(1, 4, 10, v('i32', 40)))]),
 ('babelstream/babelstream', [('f32_' + e, '32M', r(*[v('f32', 33554432)] * n), r(*[v('f32', 1000)] * n)) for e, n in (('copy', 1), ('mul', 1), ('add', 2), ('nstream', 3))] + [
    ('f64_' + e, '32M', r(*[v('f64', 33554432)] * n), r(*[v('f64', 1000)] * n)) for e, n in (('triad', 2), ('dot', 2))]),
 ('xsbench/xsbench', [('diff', 'diff small', ('xs', 68, 11303, 1500000), ('xs', 10, 200, 2000))]),
 ('pbbs/integerSort/radix_sort', [('sort_i32_pair', '20M', ('int_pairs', 27, 20*M), ('int_pairs', 27, 1000))]),
 ('pbbs/histogram/histogram', [('main', '50M, 50M', ('hist', 50*M, 50*M), ('hist', 1000, 1000)), ('main', '100K, 50M', ('hist', 100000, 50*M), ('hist', 100, 1000)), ('main', '5M, 50M', ('hist', 5*M, 50*M), ('hist', 100, 1000)),
    ('main', '12M, 50M', ('hist', 12*M, 50*M), ('hist', 1000, 1000))]),
 ('rodinia/backprop/backprop', [('main', 'small', ('file', 'rodinia/backprop/data/small.in'), ('file', 'rodinia/backprop/data/small.in'))]),
 ('rodinia/bfs/bfs_asympt_ok_but_slow', [('main', '4096nodes', ('bfs', 4096, 6), ('bfs', 200, 6))]),
 ('rodinia/bfs/bfs_iter_work_ok', [('main', '4096nodes', ('bfs', 4096, 6), ('bfs', 200, 6))]),
 ('accelerate/crystal/crystal', [('main', '4000', ('scalars', 4000, 30.0, 50, 1, 1.0), ('scalars', 40, 30.0, 50, 50, 0.5)), ('main', '200, 50 steps', ('scalars', 200, 30.0, 50, 50, 0.5), ('scalars', 20, 30.0, 5, 5, 0.5))]),
 ('accelerate/fft/fft', [('main', '512x512', ('photo', 15, 512, 512), ('photo', 15, 16, 32)), ('main', '64x256', ('photo', 15, 64, 256), ('photo', 15, 16, 64))]),
 ('accelerate/mandelbrot/mandelbrot', [('main', '8000', ('scalars', 8000, 8000, -0.7, 0, 3.067, 100, 16.0), ('scalars', 80, 60, -0.7, 0, 3.067, 100, 16.0)), ('main', '800x600', ('scalars', 800, 600, -0.7, 0, 3.067, 100, 16.0), ('scalars', 80, 60, -0.7, 0, 3.067, 100, 16.0))]),
 ('misc/heston/heston64', [('main', '1062', ('file', 'misc/heston/data/1062_quotes.in'), ('file', 'misc/heston/data/1062_quotes.in'))]),
]
