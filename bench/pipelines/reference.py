"""The pipelines that are no Halide app, written once more in NumPy, as definitions to read and to check with; their
inputs, made by the formula of Halide's peers; and Futhark's binary data format.

Arrays are [y][x], [c][y][x] or [y][x][c]. Every function gets its inputs and returns the tuple of its outputs.
"""
import numpy as np

f32, u32, i32 = np.float32, np.uint32, np.int32
TYPES = {b" f32": "<f4", b" i32": "<i4", b" i16": "<i2", b" u16": "<u2", b"  u8": "u1"}


# ---- data ----
def write(file, array):
    name = next(name for name, kind in TYPES.items() if np.dtype(kind) == array.dtype)
    file.write(b"b\x02" + bytes([array.ndim]) + name + np.array(array.shape, "<u8").tobytes() + array.tobytes())


def read(path):
    """All values of a file."""
    data, at, arrays = open(path, "rb").read(), 0, []
    while at < len(data):
        if data[at:at + 1].isspace():
            at += 1
            continue
        rank, kind = data[at + 2], np.dtype(TYPES[data[at + 3:at + 7]])
        shape = np.frombuffer(data, "<u8", rank, at + 7).astype(int)
        at += 7 + 8 * rank
        arrays.append(np.frombuffer(data, kind, int(np.prod(shape)), at).reshape(shape))
        at += arrays[-1].nbytes
    return arrays


def differences(want, got, tolerance):
    """(right, words). tolerance: (absolute, relative), of which one must hold."""
    if len(want) != len(got) or any(w.shape != g.shape or w.dtype != g.dtype for w, g in zip(want, got)):
        return False, f"{[(w.dtype, w.shape) for w in want]} wanted, got {[(g.dtype, g.shape) for g in got]}"
    off, bad, worst = 0, 0, 0.0
    for w, g in zip(want, got):
        w, g = w.astype(float), g.astype(float)
        d = np.abs(w - g)
        off += np.count_nonzero(~(d == 0))
        bad += np.count_nonzero(~(d <= np.maximum(tolerance[0], tolerance[1] * np.abs(w))))
        worst = max(worst, d.max(initial=0))
    n = sum(w.size for w in want)
    if off == 0:
        return True, "equal"
    return bad == 0, f"{off} of {n} differ, by {worst:.3g} at most" + (f", {bad} too much" if bad else "")


def val(x, y, c):
    """4000..59155: ramps, edges and noise."""
    def tri(t, p):
        m = t & u32(2 * p - 1)
        return np.where(m < p, m, u32(2 * p - 1) - m)
    h = (c * u32(8192) + y) * u32(8192) + x
    for shift, factor in ((16, 0x85ebca6b), (13, 0xc2b2ae35)):
        h = (h ^ (h >> u32(shift))) * u32(factor)
    noise = (h ^ (h >> u32(16))) & u32(4095)
    ramps = u32(44) * tri(x + u32(2) * y + u32(301) * c, 512) + u32(96) * tri(u32(3) * x + y + u32(97) * c, 128)
    return (u32(4000) + ramps + u32(16384) * (((x >> u32(6)) ^ (y >> u32(6))) & u32(1)) + noise)


def image(kind, shape, start):
    """`start`: the first column. Colours are the first dimension of three, or the last where that is 3."""
    index = list(np.indices(shape, u32))
    if len(shape) == 2:
        index.insert(0, u32(0))
    elif shape[2] == 3:
        index.insert(0, index.pop())
    c, y, x = index
    v = val(x + u32(start), y, c)
    if kind == "f32":
        return v.astype(f32) / f32(65536)
    return (v >> u32(8)).astype(np.uint8) if kind == "u8" else v.astype(np.uint16)


# ---- helpers ----
def clamp(a, dy, dx):
    """The array moved by (dy, dx): past the border, its nearest pixel."""
    h, w = a.shape[:2]
    return a[np.clip(np.arange(h) + dy, 0, h - 1)][:, np.clip(np.arange(w) + dx, 0, w - 1)]


def sobel_x(f):
    at = lambda dy, dx: clamp(f, dy, dx)
    return at(-1, 1) - at(-1, -1) + 2 * (at(0, 1) - at(0, -1)) + at(1, 1) - at(1, -1)


def sobel_y(f):
    at = lambda dy, dx: clamp(f, dy, dx)
    return at(1, -1) - at(-1, -1) + 2 * (at(1, 0) - at(-1, 0)) + at(1, 1) - at(-1, 1)


# ---- the pipelines ----
def copy(a):
    return -a,


def unsharp_polymage(a):
    five = lambda f, at: (at(0) + at(1) * 4 + at(2) * 6 + at(3) * 4 + at(4)) * f32(0.0625)
    h, w = a.shape[1] - 4, a.shape[2] - 4
    by = five(a, lambda d: a[:, d:d + h])
    bx = five(by, lambda d: by[:, :, d:d + w])
    v = a[:, 2:-2, 2:-2]
    return np.where(np.abs(v - bx) < f32(0.001), v, v * f32(4) - bx * f32(3)),


def harris1(a):
    def box(f):
        total = f32(0)
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                total = total + clamp(f, dy, dx)
        return total
    ix, iy = sobel_x(a) / f32(12), sobel_y(a) / f32(12)
    xx, yy, xy = box(ix * ix), box(iy * iy), box(ix * iy)
    return xx * yy - xy * xy - f32(0.04) * (xx + yy) * (xx + yy),


def shi_tomasi(a):
    def gauss(f):
        at = lambda dy, dx: clamp(f, dy, dx)
        corners, sides = at(-1, -1) + at(-1, 1) + at(1, -1) + at(1, 1), at(-1, 0) + at(0, -1) + at(0, 1) + at(1, 0)
        return (corners + 2 * sides + 4 * f) / f32(16)
    dx, dy = sobel_x(a) / f32(8), sobel_y(a) / f32(8)
    xx, yy, xy = gauss(dx * dx), gauss(dy * dy), gauss(dx * dy)
    half = (xx - yy) / f32(2)
    return (xx + yy) / f32(2) - np.sqrt(half * half + xy * xy),


def length(dx, dy):
    return np.minimum(np.sqrt((dx * dx + dy * dy).astype(f32)), 255).astype(np.uint8)


def sobel(a):
    return length(sobel_x(a.astype(i32)), sobel_y(a.astype(i32))),


sobel_rgb = sobel


def prewitt(a):
    a = a.astype(i32)
    dx = sum(clamp(a, d, 1) - clamp(a, d, -1) for d in (-1, 0, 1))
    dy = sum(clamp(a, 1, d) - clamp(a, -1, d) for d in (-1, 0, 1))
    return length(dx, dy),


def canny(a):
    five = lambda at: at(-2) + 4 * at(-1) + 6 * at(0) + 4 * at(1) + at(2)
    a = a.astype(i32)
    bx = five(lambda d: clamp(a, 0, d))
    smooth = (five(lambda d: clamp(bx, d, 0)) + 128) // 256
    dx, dy = sobel_x(smooth), sobel_y(smooth)
    s = dx * dx + dy * dy
    level, upright = 256 * abs(dy) < 106 * abs(dx), 256 * abs(dx) < 106 * abs(dy)
    kind = np.where(level, 0, np.where(upright, 1, np.where((dx < 0) == (dy < 0), 2, 3)))
    along = ((0, 1), (1, 0), (1, 1), (1, -1))
    keep = np.choose(kind, [(s >= clamp(s, i, j)) & (s > clamp(s, -i, -j)) for i, j in along])
    thin = np.where(keep, s, 0)
    beside = np.any([clamp(thin, i, j) >= 140 * 140 for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j], axis=0)
    return np.where((thin >= 140 * 140) | ((thin >= 60 * 60) & beside), 255, 0).astype(np.uint8),


def enhance(a):
    product = f32(1)
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            product = product * clamp(a, dy, dx)
    v = np.power(np.power(product, f32(1) / f32(9)), f32(1) / f32(2.2))
    return np.clip((v - f32(0.5)) * f32(1.2) + f32(0.5), f32(0), f32(1)),


def night(a):
    def atrous(step, sharp, p):
        total, weights = f32(0), f32(0)
        for i in (-1, 0, 1):
            for j in (-1, 0, 1):
                q = np.stack([clamp(c, i * step, j * step) for c in p])
                d = q - p
                w = f32((2 - abs(i)) * (2 - abs(j))) * np.exp(-(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) * f32(sharp))
                total, weights = total + w * q, weights + w
        return total / weights
    r, g, b = atrous(2, 40, atrous(1, 20, a))
    x = f32(0.5149) * r + f32(0.3244) * g + f32(0.1607) * b
    y = f32(0.2654) * r + f32(0.6704) * g + f32(0.0642) * b
    z = f32(0.0248) * r + f32(0.1248) * g + f32(0.8504) * b
    v = y * (f32(1.33) * (1 + (y + z) / x) - f32(1.68))
    t = np.clip((np.log10(y) + 2) / f32(2.6), f32(0), f32(1))
    s = 3 * t * t - 2 * t * t * t
    return np.stack([(1 - s) * v * f32(dark) + s * light for dark, light in ((0.62, r), (0.70, g), (1.05, b))]),


def pyramid_blend(a, b, mask):
    at = lambda f, ys, xs: f[np.clip(ys, 0, f.shape[0] - 1)][:, np.clip(xs, 0, f.shape[1] - 1)]
    def down(f):
        h, w = f.shape
        five = lambda g: (g(-2) + g(-1) * 4 + g(0) * 6 + g(1) * 4 + g(2)) * f32(0.0625)
        dy = five(lambda d: at(f, 2 * np.arange(h // 2) + d, np.arange(w)))
        return five(lambda d: at(dy, np.arange(h // 2), 2 * np.arange(w // 2) + d))
    def up(f, h, w):
        def between(n, g):
            i = np.arange(n)
            even = (i % 2 == 0)
            return lambda lift: np.where(lift(even), (g(i // 2 - 1) + g(i // 2) * 6 + g(i // 2 + 1)) * f32(0.125),
                                         (g(i // 2) * 4 + g(i // 2 + 1) * 4) * f32(0.125))
        uy = between(h, lambda j: at(f, j, np.arange(f.shape[1])))(lambda e: e[:, None])
        return between(w, lambda j: at(uy, np.arange(h), j))(lambda e: e[None, :])
    pyramid = lambda f: [f, down(f), down(down(f)), down(down(down(f)))]
    masks, out = pyramid(mask), []
    for p, q in zip(a, b):
        p, q = pyramid(p), pyramid(q)
        result = None
        for l in (3, 2, 1, 0):
            h, w = p[l].shape
            lp, lq = (p[l], q[l]) if l == 3 else (p[l] - up(p[l + 1], h, w), q[l] - up(q[l + 1], h, w))
            blended = lp * masks[l] + lq * (1 - masks[l])
            result = blended if l == 3 else up(result, h, w) + blended
        out.append(result)
    return np.stack(out),


def jacobi2d(steps, a):
    for _ in range(int(steps)):
        b = a.copy()
        b[1:-1, 1:-1] = (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:]) / f32(4)
        a = b
    return a,


def jacobi_until(most, a):
    for _ in range(int(most)):
        b, = jacobi2d(1, a)
        moved, a = np.abs(a - b).max(initial=-np.inf), b
        if not moved > f32(0.005):
            break
    return a,


def jacobi3d(steps, a):
    m = slice(1, -1)
    for _ in range(int(steps)):
        b = a.copy()
        b[m, m, m] = (a[:-2, m, m] + a[2:, m, m] + a[m, :-2, m] + a[m, 2:, m] + a[m, m, :-2] + a[m, m, 2:]) / f32(6)
        a = b
    return a,


def horn_schunck(steps, a, b):
    p = [[clamp(f, i, j) for i in (0, 1) for j in (0, 1)] for f in (a, b)]
    (a00, a01, a10, a11), (b00, b01, b10, b11) = p
    dx = (a01 - a00 + a11 - a10 + b01 - b00 + b11 - b10) / f32(4)
    dy = (a10 - a00 + a11 - a01 + b10 - b00 + b11 - b01) / f32(4)
    dt = (b00 - a00 + b01 - a01 + b10 - a10 + b11 - a11) / f32(4)
    def mean(f):
        at = lambda i, j: clamp(f, i, j)
        sides, corners = at(-1, 0) + at(0, 1) + at(1, 0) + at(0, -1), at(-1, -1) + at(-1, 1) + at(1, 1) + at(1, -1)
        return sides / f32(6) + corners / f32(12)
    u = v = np.zeros_like(a)
    for _ in range(int(steps)):
        mu, mv = mean(u), mean(v)
        change = (dx * mu + dy * mv + dt) / (f32(0.01) + dx * dx + dy * dy)
        u, v = mu - dx * change, mv - dy * change
    return u, v


def gauss3(a):
    a = a.astype(i32)
    total = sum((2 - abs(i)) * (2 - abs(j)) * clamp(a, i, j) for i in (-1, 0, 1) for j in (-1, 0, 1))
    return ((total + 8) // 16).astype(np.uint8),


gauss3_rgb = gauss3


def gauss5(a, mode="edge"):
    p, k = np.pad(a, 2, mode=mode), [1, 4, 6, 4, 1]
    total = f32(0)
    for i in range(5):
        row = f32(0)
        for j in range(5):
            row = row + f32(k[i] * k[j]) * p[i:i + a.shape[0], j:j + a.shape[1]]
        total = total + row
    return total / f32(256),


def gauss5_mirror(a):
    return gauss5(a, "reflect")


def gauss5_wrap(a):
    return gauss5(a, "wrap")


def gauss5_zero(a):
    return gauss5(a, "constant")


def gauss5_separable(a):
    taps = [f32(t) / f32(16) for t in (1, 4, 6, 4, 1)]
    (h, w), p = a.shape, np.pad(a, ((0, 0), (2, 2)))
    rows = np.pad(sum(t * p[:, i:i + w] for i, t in enumerate(taps)), ((2, 2), (0, 0)))
    return sum(t * rows[i:i + h] for i, t in enumerate(taps)),


def conv_pool(a):
    (h, w), weights = a.shape, [[1, 2, -1], [2, -4, 1], [-1, 1, f32(0.5)]]
    conv = sum(f32(weights[i][j]) * a[i:i + h - 2, j:j + w - 2] for i in range(3) for j in range(3))
    conv = np.maximum(conv, f32(0))[:(h - 2) // 2 * 2, :(w - 2) // 2 * 2]
    return np.maximum.reduce([conv[i::2, j::2] for i in (0, 1) for j in (0, 1)]),


def median3(a):
    return np.median([clamp(a, i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)], axis=0).astype(np.uint8),


def bilateral5(a):
    values = weights = f32(0)
    for i in range(-2, 3):
        for j in range(-2, 3):
            v = clamp(a, i, j)
            d = v - a
            w = np.exp(f32(-(i * i + j * j)) / f32(4.5) - d * d / (f32(2) * f32(0.1) * f32(0.1)))
            values, weights = values + w * v, weights + w
    return values / weights,
