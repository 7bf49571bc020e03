"""The rows that `measure_cpu` measures: as in rows.py a program, and of each row an entry point, a name for the data, and how these are made; all of
at most some 10 MB. What is called `file` is one of the suite's own."""
from rows import r, v

K, M = 1000, 1_000_000


def file(path):
    return ("file", path)


def vector(entry, n=M, of="i32", count=1):
    return (entry, f"{n // K}K", r(*[v(of, n)] * count))


def iota(entry, n=M):
    return (entry, f"{n // K}K", ("scalars", n))


CPU_ROWS = [
    ("accelerate/canny/canny", [("main", "512x512", ("canny", 512, 512))]),
    ("accelerate/crystal/crystal", [("main", "200, 50 steps", ("scalars", 200, 30.0, 50, 50, 0.5))]),
    ("accelerate/fft/fft", [("main", "64x256", ("photo", 15, 64, 256)), ("main", "512x512", ("photo", 15, 512, 512))]),
    ("accelerate/fluid/fluid", [("main", "medium", file("accelerate/fluid/benchmarking/medium.in"))]),
    ("accelerate/hashcat/hashcat", [("main", "100K words", ("hashcat", 100 * K))]),
    ("accelerate/kmeans/kmeans", [("main", "trivial", file("accelerate/kmeans/data/trivial.in")),
                                  ("main", "k5_n200000", file("accelerate/kmeans/data/k5_n200000.in"))]),
    ("accelerate/mandelbrot/mandelbrot", [("main", "800x600", ("scalars", 800, 600, -0.7, 0, 3.067, 100, 16.0))]),
    ("accelerate/nbody/nbody-bh", [("main", "1000", ("bodies", 1000)), ("main", "10000", ("bodies", 10000))]),
    ("accelerate/nbody/nbody", [("main", "1000", ("bodies", 1000)), ("main", "10000", file("accelerate/nbody/data/10000-bodies.in"))]),
    ("accelerate/pagerank/pagerank", [("main", "small", file("accelerate/pagerank/data/small.in")), ("main", "50K, 500K links", ("pagerank", 50 * K, 500 * K, 10))]),
    ("accelerate/ray/trace", [("main", "800x600", ("scalars", 800, 600, 100, 50.0, -100.0, -700.0, 1.5707, 0.0, 4, 0.0))]),
    ("accelerate/smoothlife/smoothlife", [("main", "128", ("scalars", 128))]),
    ("accelerate/tunnel/tunnel", [("main", "800x600", ("scalars", 10.0, 800, 600))]),
    ("adbench/ba", [(e, "n49 m7776 p31843", ("ba", 49, 7776, 31843)) for e in ("calculate_objective", "calculate_jacobian")]),
    ("adbench/gmm", [(e, "n1k d10 K25", ("gmm", 1000, 10, 25)) for e in ("calculate_objective", "calculate_jacobian")]),
    ("adbench/hand", [(e, "simple c100", ("hand_simple", 100)) for e in ("calculate_objective", "calculate_jacobian")]),
    ("adbench/lstm", [(e, "l2 c1024 d14", ("lstm", 2, 1024, 14)) for e in ("calculate_objective", "calculate_jacobian")]),
    ("babelstream/babelstream", [vector("f32_" + e, M, "f32", n) for e, n in (("copy", 1), ("mul", 1), ("add", 2), ("triad", 2), ("nstream", 3), ("dot", 2))] + [
        vector("f64_" + e, M, "f64", n) for e, n in (("triad", 2), ("dot", 2))]),
    ("finpar/LocVolCalib", [("main", "small", file("finpar/LocVolCalib-data/small.in"))]),
    ("finpar/OptionPricing", [("main", "small", file("finpar/OptionPricing-data/small.in")), ("main", "medium", file("finpar/OptionPricing-data/medium.in"))]),
    ("jgf/crypt/crypt", [("main", "3M", ("crypt", 3 * M))]),
    ("jgf/crypt/keys", [("main", "userkey", ("userkey",))]),
    ("jgf/series/series", [("main", "1000", ("scalars", 1000))]),
    ("micro/intra", [("scan_reduce", "400K x 6", r(v("f32", 400 * K, 6)))]),
    ("micro/mmm/lud-internal", [("main", "32x32 of 32x32", r(v("f32", 32, 32, 32), v("f32", 32, 32, 32), v("f32", 32, 32, 32, 32)))]),
    ("micro/mmm/mmm-batch", [("main", "16x32 of 32x32", r(v("f32", 16, 32, 32, 32), v("f32", 16, 32, 32, 32)))]),
    ("micro/mmm/mmm", [("main", "512x512x512", r(v("f32", 512, 512), v("f32", 512, 512)))]),
    ("micro/mmm/sgemm", [("main", "512", r(1.5, 0.5, *[v("f32", 512, 512)] * 3))]),
    ("micro/reduce-segmented", [("sum_i32", f"{n}x{M // n}", r(n, M // n, v("i32", M))) for n in (1, 100, 10 * K, 100 * K, M)] + [
        ("sum_i8", f"{n}x{M // n}", r(n, M // n, v("i8", M))) for n in (10, 100 * K)] + [("prod_mat4_i32", "1Kx1K", ("segmented_mat4", K, K)),
        ("sum_iota_i32", "1Kx1K", ("scalars", K, K))]),
    ("micro/reduce", [vector("sum_i32", 10 * K)] + [vector(e) for e in ("sum_i8", "sum_i32", "sum_f32", "sum_f64", "sum_scaled_i32", "sum_scaled_f64", "lss_i8", "lss_i32", "lss_f64")] + [
        ("prod_mat4_i32", "500K", ("mat4", 500 * K)), ("prod_mat4_f64", "500K", ("mat4", 500 * K)), iota("sum_iota_i8"), iota("sum_iota_f64"), iota("lss_iota_f32"),
        iota("prod_iota_mat4_i32")]),
    ("micro/reduce_by_index-segmented", [("sum_i32", f"{k} bins", r(k, v("i32", 256, 4000), v("i32", 256, 4000))) for k in (10, 1000)]),
    ("micro/reduce_by_index", [(e, f"{k} bins", r(k, v("i32", M), v("i32", M))) for e, k in (("sum_i32", 10), ("sum_i32", 1000), ("sum_i32", 100 * K), ("argmax_i32", 10),
        ("argmax_i32", 1000), ("absmax_i32", 1000))] + [("sum_f32", "1000 bins", r(1000, v("i32", M), v("f32", M))), ("sum_vec_i32", "10 x 100", r(10, v("i32", 10 * K), v("i32", M))),
        ("sum_i8", "1000 bins", r(1000, v("i32", M), v("i8", M))), ("sum_i32_f32", "1000 bins", r(1000, v("i32", M), v("i32", M), v("f32", M)))]),
    ("micro/scan-segmented", [("sum_i32", f"{n}x{M // n}", r(v("i32", n, M // n))) for n in (1, 10, K, 100 * K, M)] + [("sum_iota_i32", "1Kx1K", ("scalars", K, K))]),
    ("micro/scan-weird", [(e, f"{n}x{M // n}", r(n, M // n, v("i32", M))) for e in ("scan_vector", "scan_arr", "scan_fanin") for n in (K, 100 * K)]),
    ("micro/scan", [vector("sum_i32", 10 * K)] + [vector(e) for e in ("sum_i8", "sum_i32", "sum_f32", "sum_i64", "sum_f64", "sum_scaled_i32", "lss_i8", "lss_i32", "lss_f64")] + [
        ("prod_mat4_i32", "500K", ("mat4", 500 * K)), ("prod_mat4_f64", "500K", ("mat4", 500 * K)), iota("sum_iota_i8"), iota("sum_iota_f64"), iota("lss_iota_f32"),
        iota("prod_iota_mat4_i32")]),
    ("micro/transpose", [("transpose_i32", f"{n}x{M // n}", r(n, M // n, v("i32", M))) for n in (2, 10, 1000, 100 * K)] + [
        ("transpose_i8", f"{n}x{M // n}", r(n, M // n, v("i8", M))) for n in (4, 1000)] + [("map_transpose_i32", "10x100x1000", r(10, 100, 1000, v("i32", M)))]),
    ("misc/bfast/bfast-cloudy", [("main", "1000 pixels", ("bfast_cloudy", 1000, 235, 113))]),
    ("misc/bfast/bfast", [("main", "1000 pixels", ("bfast_clear", 1000, 235, 113))]),
    ("misc/knn-by-kdtree/buildKDtree", [("main", "ppl 32, 64K", ("kd", 32, 65536, 7))]),
    ("misc/knn-by-kdtree/driver-knn", [("main", "ppl 256, 16K, 20K", ("kd", 256, 16384, 7, 20 * K))]),
    ("misc/life/life", [("quad_steps", "512x512, 10 steps", ("life", 512, 10))]),
    ("misc/ocean-sim/tke", [("main", "32^3", ("tke", 32, 32, 32))]),
    ("misc/ocean-sim/tridiag-test", [(e, "2000 x 115", ("tri", 2000, 115)) for e in ("tridagNested", "tridagNestedConst", "tridagNestedSeq", "tridagNestedSeqConst")]),
    ("misc/poseidon/poseidon-bench", [("arity8", "8K", r(v("u64", 8192))), ("arity11", "8K", r(v("u64", 8800)))]),
    ("parboil/histo/histo", [("main", "default", file("parboil/histo/data/default.in.gz"))]),
    ("parboil/mri-q/mri-q", [("main", "large", file("parboil/mri-q/data/large.in"))]),
    ("parboil/sgemm/sgemm", [("main", "256", r(*[v("f32", 256, 256)] * 3, 1.5, 0.5))]),
    ("parboil/tpacf/tpacf", [("main", "10 x 1000", ("tpacf", 10, 1000))]),
    ("parboil/stencil/stencil", [("main", "default", file("parboil/stencil/data/default.in"))]),
    ("pbbs/breadthFirstSearch/breadthFirstSearch", [("main", "50K, 250K", ("csr", 50 * K, 250 * K))]),
    ("pbbs/comparisonSort/merge_sort", [("sort_f64", "100K", ("floats", 100 * K)), ("sort_f64_pair", "100K", ("pairs", 100 * K))]),
    ("pbbs/comparisonSort/quick_sort", [("sort_f64", "100K", ("floats", 100 * K)), ("sort_f64_pair", "100K", ("pairs", 100 * K))]),
    ("pbbs/convexHull/convexhull", [("main", "in sphere 100K", ("disc", 100 * K))]),
    ("pbbs/histogram/histogram", [("main", f"{m}, 2M", ("hist", m, 2 * M)) for m in (256, 100 * K, 2 * M)]),
    ("pbbs/integerSort/radix_sort", [("sort_i32", "1M", ("ints", 27, M)), ("sort_i32_pair", "1M", ("int_pairs", 27, M))]),
    ("pbbs/maximalIndependentSet/maximalIndependentSet", [("main", "50K, 250K", ("csr", 50 * K, 250 * K))]),
    ("pbbs/maximalMatching/maximalMatching", [("main", "50K, 250K", ("edges", 50 * K, 250 * K))]),
    ("pbbs/minSpanningForest/minSpanningForest", [("main", "20K, 100K", ("edges", 20 * K, 100 * K, True))]),
    ("pbbs/rangeQuery2d/naive", [("main", "10K", ("disc", 10 * K))]),
    ("pbbs/rangeQuery2d/range", [("main", "10K", ("disc", 10 * K))]),
    ("pbbs/ray/ray", [("main", "20K triangles, 50K rays", ("triangles", 20 * K, 50 * K))]),
    ("pbbs/removeDuplicates/removeDuplicates", [(e, "200K", ("few_ints", 200 * K)) for e in ("hash_dedup_int", "sort_dedup_int")]),
    ("rodinia/backprop/backprop", [("main", "small", file("rodinia/backprop/data/small.in"))]),
    ("rodinia/bfs/bfs_asympt_ok_but_slow", [("main", "4096nodes", file("rodinia/bfs/data/4096nodes.in")), ("main", "64K nodes", ("bfs", 65536, 6))]),
    ("rodinia/bfs/bfs_filt_padded_fused", [("main", "4096nodes", file("rodinia/bfs/data/4096nodes.in")), ("main", "64K nodes", ("bfs", 65536, 6))]),
    ("rodinia/bfs/bfs_heuristic", [("main", "4096nodes", file("rodinia/bfs/data/4096nodes.in")), ("main", "64K nodes", ("bfs", 65536, 6))]),
    ("rodinia/bfs/bfs_iter_work_ok", [("main", "4096nodes", file("rodinia/bfs/data/4096nodes.in")), ("main", "64K nodes", ("bfs", 65536, 6))]),
    ("rodinia/bfs/bfs_sequential", [("main", "4096nodes", file("rodinia/bfs/data/4096nodes.in"))]),
    ("rodinia/cfd/cfd", [("main", "400", ("cfd", 400))]),
    ("rodinia/hotspot/hotspot", [("main", "64", ("hotspot", 64, 360)), ("main", "512, 60 steps", ("hotspot", 512, 60))]),
    ("rodinia/kmeans/kmeans", [("main", "trivial", file("rodinia/kmeans/data/trivial.in")), ("main", "20K x 34", ("kmeans", 20 * K, 34))]),
    ("rodinia/lavaMD/lavaMD", [("main", "10_boxes", file("rodinia/lavaMD/data/10_boxes.in.gz"))]),
    ("rodinia/lud/lud", [("main", str(n), ("lud", n)) for n in (16, 64, 256)]),
    ("rodinia/myocyte/myocyte", [("main", "small", file("rodinia/myocyte/data/small.in"))]),
    ("rodinia/nn/nn", [("main", "80K", ("nn", 80 * K, 10))]),
    ("rodinia/nw/nw", [("main", "256", ("nw", 256)), ("main", "1024", ("nw", 1024))]),
    ("rodinia/particlefilter/particlefilter", [("main", "2000", ("particles", 2000))]),
    ("rodinia/pathfinder/pathfinder", [("main", "medium", file("rodinia/pathfinder/data/medium.in"))]),
    ("rodinia/srad/srad", [("main", "image", file("rodinia/srad/data/image.in.gz"))]),
    ("rsbench/rsbench", [("main", "10K", ("rs", 10 * K)), ("diff", "2K", ("rs", 2 * K))]),
    ("xsbench/xsbench", [("main", "20K", ("xs", 20, 1000, 20 * K)), ("diff", "20K", ("xs", 20, 1000, 20 * K))]),
    ("misc/heston/heston32", [("main", "1062", file("misc/heston/data/1062_quotes.in"))]),
    ("misc/heston/heston64", [("main", "1062", file("misc/heston/data/1062_quotes.in"))]),
]
