"""Data for the programs: each function returns the inputs of an entry point."""
import hashlib

import numpy as np

f32, f64, i8, i16, i32, i64, u8, u32, u64 = np.float32, np.float64, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint32, np.uint64


def R(seed=1):
    return np.random.default_rng(seed)


def scalars(*a):
    """Plain numbers: the types are the entry point's."""
    return list(a)


def rnd(*specs):
    """As Futhark's random data: integers over all their range, floats in [0,1). A spec is a number, or ('f32', shape)."""
    r, out = R(), []
    for s in specs:
        if not isinstance(s, tuple):
            out.append(s)
            continue
        t, shape = s
        if t in ('f32', 'f64'):
            out.append(r.random(shape, dtype=t.replace('f32', 'float32').replace('f64', 'float64')))
        elif t == 'f16':
            out.append(r.random(shape, dtype=f32).astype(np.float16))
        elif t == 'bool':
            out.append(r.random(shape, dtype=f32) < 0.5)
        else:
            d = np.dtype({'i': 'int', 'u': 'uint'}[t[0]] + t[1:])
            n = int(np.prod(shape)) * d.itemsize
            out.append(np.frombuffer(r.bytes(n), dtype=d).reshape(shape))
    return out


def drawn(*specs):
    """Within bounds, both included for integers: a spec is a number, or ('f32', lowest, highest, shape); 'sorted' behind it puts a row in order."""
    r, out = R(), []
    for s in specs:
        if not isinstance(s, tuple):
            out.append(s)
            continue
        t, lowest, highest, shape = s[:4]
        if t == 'bool':
            values = r.random(shape, dtype=f32) < 0.5
        elif t[0] == 'f':
            values = (lowest + (highest - lowest) * r.random(shape, dtype=f32 if t != 'f64' else f64)).astype('float' + t[1:])
        else:
            values = r.integers(lowest, highest, shape, dtype={'i': 'int', 'u': 'uint'}[t[0]] + t[1:], endpoint=True)
        out.append(np.sort(values) if s[4:] else values)
    return out


def photo(cutoff, h, w):
    y, x = np.mgrid[0:h, 0:w]
    c = [(128 + 90 * np.sin(x / (9.0 + k)) * np.cos(y / (13.0 + k)) + R(k).normal(0, 6, (h, w))).clip(0, 255).astype(u8) for k in range(3)]
    return [cutoff, np.stack(c, axis=2)]


def pagerank(n, m, iterations):
    r = R()
    to = np.sort((r.random(m) ** 2 * n).astype(i64))
    fr = r.integers(0, n, m)
    fr[:n] = r.permutation(n)
    sizes = np.bincount(fr, minlength=n).astype(i32)
    return [fr.astype(i32), to.astype(i32), sizes, iterations]


def hotspot(n, iterations):
    r = R()
    return [iterations, (323 + 10 * r.random((n, n))).astype(f32), (1e-4 * r.random((n, n))).astype(f32)]


def bfs(n, degree):
    r = R()
    e = r.integers(1, 2 * degree, n)
    start = np.concatenate([[0], np.cumsum(e)])
    return [start[:-1].astype(i32), e.astype(i32), r.integers(0, n, start[-1]).astype(i32)]


def bfast(m, N, k, n, nan):
    r = R()
    t = np.arange(N)
    x = (r.normal(5000, 500, (m, 1)) + 800 * np.sin(2 * np.pi * t / 23)[None, :] + r.normal(0, 200, (m, N))).astype(f32)
    x[r.random((m, N)) < nan] = np.nan
    return k, n, x


def bfast_cloudy(m, N, n):
    k, n, x = bfast(m, N, 3, n, 0.5)
    return [1, k, n, 23.0, 0.25, 1.736126, np.arange(1, N + 1, dtype=i32), x]


def bfast_clear(m, N, n):
    k, n, x = bfast(m, N, 3, n, 0.0)
    return [k, n, 23.0, 0.25, 1.736126, x]


def kd(ppl, m, d, n=None):
    r = R()
    a = r.random((m, d), dtype=f32)
    return [ppl, a] + ([] if n is None else [r.random((n, d), dtype=f32)])


def gmm(n, d, k):
    r = R()
    return [r.normal(0, 1, k), r.normal(0, 1, (k, d)), r.normal(0, 0.3, (k, d + d * (d - 1) // 2)), r.normal(0, 1, (n, d)), 1.0, 0]


def ba(n, m, p):
    r = R()
    cam = np.concatenate([r.normal(0, 0.01, (n, 3)), r.normal(0, 1, (n, 3)), r.normal(500, 10, (n, 1)), r.normal(0, 1, (n, 2)),
                          r.normal(0, 1e-7, (n, 2))], axis=1)
    X = r.normal(0, 1, (m, 3)) + np.array([0, 0, 10.0])
    obs = np.stack([r.integers(0, n, p), r.integers(0, m, p)], axis=1).astype(i32)
    return [cam, X, r.random(p) + 0.5, obs, r.normal(0, 50, (p, 2))]


def lstm(l, c, d):
    r = R()
    return [r.normal(0, 0.5, (2 * l, 4 * d)), r.normal(0, 0.5, (3, d)), r.normal(0, 0.5, (2 * l, d)), r.normal(0, 1, (c, d))]


def hand(bones, M, N, us):
    r = R()
    parents = np.array([-1] + [r.integers(0, b) for b in range(1, bones)], dtype=i32)

    def poses():
        a = np.zeros((bones, 4, 4))
        for b in range(bones):
            q, _ = np.linalg.qr(r.normal(0, 1, (3, 3)))
            a[b, :3, :3] = q
            a[b, :3, 3] = r.normal(0, 0.2, 3)
            a[b, 3, 3] = 1
        return a
    w = r.random((bones, M)) * (r.random((bones, M)) < 0.2)
    w /= w.sum(axis=0, keepdims=True) + 1e-9
    base = np.concatenate([r.normal(0, 1, (3, M)), np.ones((1, M))])
    tri = r.integers(0, M, (2 * M, 3)).astype(i32)
    return [parents, poses(), poses(), w, base, tri, False, r.integers(0, M, N).astype(i32), r.normal(0, 1, (3, N)), r.normal(0, 0.2, 26), us]


def hand_simple(N, M=544):
    return hand(22, M, N, np.zeros(0))


def hand_complicated(N, M=544):
    return hand(22, M, N, R(2).random(2 * N))


def csr(n, m):
    """A random symmetric graph, as offsets and neighbours."""
    r = R()
    a, b = r.integers(0, n, m), r.integers(0, n, m)
    a[:n - 1], b[:n - 1] = np.arange(n - 1), np.arange(1, n)
    if n > 1000:
        b[:n - 1] = r.integers(0, n, n - 1)
    keep = a != b
    a, b = a[keep], b[keep]
    s, t = np.concatenate([a, b]), np.concatenate([b, a])
    o = np.argsort(s, kind='stable')
    off = np.concatenate([[0], np.cumsum(np.bincount(s, minlength=n))])[:-1]
    return [off.astype(i32), t[o].astype(i32)]


def edges(n, m, weights=False):
    r = R()
    a, b = r.integers(0, n, m), r.integers(0, n, m)
    b = np.where(a == b, (b + 1) % n, b)
    e = np.stack([np.minimum(a, b), np.maximum(a, b)], axis=1).astype(i32)
    return [e] + ([r.random(m)] if weights else [])


def disc(n, t='f64'):
    r = R()
    ang, rad = r.random(n) * 2 * np.pi, np.sqrt(r.random(n))
    return [np.stack([rad * np.cos(ang), rad * np.sin(ang)], axis=1).astype({'f64': f64, 'f32': f32}[t])]


def triangles(n, rays):
    r = R()
    c = r.random((n, 1, 3))
    p = (c + (r.random((n, 3, 3)) - 0.5) * 0.02).reshape(-1, 3).astype(f32)
    t = np.arange(1, 3 * n + 1, dtype=i32).reshape(n, 3)
    o = r.random((rays, 3)) - np.array([0, 0, 2.0])
    d = r.random((rays, 3)) - o
    return [p, t, np.stack([o, d], axis=1).astype(f32)]


def int_pairs(bits, n):
    return [bits, R().integers(0, 1 << bits, (n, 2)).astype(i32)]


def hist(m, n):
    return [m, R().integers(0, m, n).astype(i32)]


def xs(isotopes, gridpoints, lookups):
    r = R()
    num = np.array([34, 5, 4, 4, 27, 21, 21, 21, 21, 21, 9, 9], dtype=i32)
    most = 34
    mats = r.integers(0, isotopes, (12, most)).astype(i32)
    concs = r.random((12, most))
    grid = r.random((isotopes, gridpoints, 6))
    grid[:, :, 0] = np.sort(grid[:, :, 0], axis=1)
    energy = np.sort(grid[:, :, 0].reshape(-1))
    index = np.empty((len(energy), isotopes), dtype=i32)
    for k in range(isotopes):
        index[:, k] = np.clip(np.searchsorted(grid[k, :, 0], energy, side='right') - 1, 0, gridpoints - 2)
    return [isotopes, gridpoints, 0, 10000, lookups, num, concs, mats, grid, index, energy]


def rs(lookups, nuclides=68, poles=1000, windows=100):
    r = R()
    num = np.array([34, 5, 4, 4, 27, 21, 21, 21, 21, 21, 9, 9], dtype=i32)
    mats = r.integers(0, nuclides, (12, 34)).astype(i32)
    n_windows = r.integers(windows // 2, windows + 1, nuclides).astype(i32)
    ls = r.integers(0, 4, (nuclides, poles)).astype(i32)
    cs = r.random((nuclides, poles, 4, 2))
    wf = r.random((nuclides, windows, 3))
    per = max(1, poles // windows)
    s = (np.arange(windows) * per)[None, :].repeat(nuclides, 0)
    wi = np.stack([s, np.minimum(s + per, poles)], axis=2).astype(i32)
    return [lookups, 1, n_windows, ls, cs, wf, wi, r.random((nuclides, 4)), num, mats, r.random((12, 34))]


def tke(x, y, z):
    r = R()

    def a(*shape):
        return r.random(shape, dtype=f32)
    return ([a(x, y, z) for _ in range(12)] + [a(x) + 0.5, a(x) + 0.5, a(y) + 0.5, a(y) + 0.5, a(z) + 0.5, a(z) + 0.5, a(y) + 0.5, a(y) + 0.5,
            r.integers(0, z, (x, y)).astype(i32), a(x, y, z), a(x, y, z), a(x, y, z), a(x, y)])


def tri(n, m):
    r = R()
    a = r.random((n, m), dtype=f32)
    b = (2.5 + r.random((n, m), dtype=f32)).astype(f32)
    c = r.random((n, m), dtype=f32)
    return [a, b, c, r.random((n, m), dtype=f32)]


def particles(n):
    r = R()
    return [r.integers(0, 256, (128, 128, 10)).astype(i32), n]


def nn(n, k=10):
    r = R()
    return [k, 30.0, 90.0, (90 * r.random(n)).astype(f32), (180 * r.random(n)).astype(f32)]


def crypt(n):
    r = R()
    return [r.integers(0, 1 << 16, 52), r.integers(0, 1 << 16, 52), r.integers(0, 256, n)]


def nw(n, penalty=10):
    r = R()
    a = np.zeros((n + 1, n + 1), dtype=i32)
    a[0] = -penalty * np.arange(n + 1)
    a[:, 0] = -penalty * np.arange(n + 1)
    return [penalty, a, r.integers(-4, 12, (n + 1, n + 1)).astype(i32)]


def lud(n):
    i = np.arange(n)
    return [(10.0 * np.exp(-0.001 * np.abs(i[:, None] - i[None, :]))).astype(f32)]


def bodies(n):
    r = R()
    return [1, 50.0, 0.1, *(r.normal(0, 1, (3, n)).astype(f32)), r.random(n).astype(f32), *(r.normal(0, 0.1, (3, n)).astype(f32))]


def floats(n, t='f64'):
    return [R().random(n)]


def pairs(n):
    return [R().random((n, 2))]


def mat4(n):
    return [R(k).integers(-2**31, 2**31, n).astype(i32) for k in range(4)]


def canny(h, w):
    y, x = np.mgrid[0:h, 0:w]
    g = (128 + 80 * np.sin(x / 17.0) * np.cos(y / 23.0) + 40 * ((x // 64 + y // 64) % 2) + R().normal(0, 4, (h, w))).clip(0, 255).astype(u32)
    return [50.0, 100.0, ((g << 16) | (g << 8) | g | 0xff000000).astype(u32).view(i32)]


def hashcat(n):
    """Words, and the MD5 of one of the last."""
    r = R()
    starts = np.concatenate([[0], np.cumsum(r.integers(5, 12, n))])
    letters = r.integers(97, 123, starts[-1], dtype=i64).astype(i8)
    k = int(n * 0.9)
    wanted = np.frombuffer(hashlib.md5(letters[starts[k]:starts[k + 1]].tobytes()).digest(), dtype='<u4')
    return [*map(int, wanted), letters, starts[:-1].astype(i32)]


def cfd(n):
    """A ring of cells whose neighbours are near, some of them walls and far fields."""
    r = R()
    near = np.stack([(np.arange(n) + k) % n for k in (-1, 1, -97, 97)]).astype(i32)
    near[0, r.random(n) < 0.01] = -1
    near[1, r.random(n) < 0.01] = -2
    normals = (r.random((3, 4, n)) - 0.5) * 1e-3
    normals -= normals.mean(axis=1, keepdims=True)
    return [(1.0 + 0.1 * r.random(n)).astype(f32), near, normals.astype(f32)]


def life(n, steps):
    return [steps, R().random((n, n)) < 0.3]


def kmeans(n, d, k=5):
    r = R()
    return [0, k, 50, (r.integers(0, k, (n, 1)) + r.normal(0, 0.3, (n, d))).astype(f32)]


def tpacf(sets, n):
    r = R()
    return [r.random(n) * 90, r.random(n) * 60, r.random((sets, n)) * 90, r.random((sets, n)) * 60]


def userkey():
    return [R().integers(-2**15, 2**15, 8)]


def ints(bits, n):
    return [bits, R().integers(0, 1 << bits, n).astype(i32)]


def few_ints(n):
    return [R().integers(0, n, n).astype(i32)]


def segmented_mat4(n, m):
    return [n, m, *mat4(n * m)]
